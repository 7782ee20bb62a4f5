"""The network of the English parser: MiniLM's encoder under heads for tags, lemmas, ends of sentences and trees.

The encoder is BERT's (Devlin et al. 2019) with six layers of 384, distilled by Wang et al. (2020); heads of trees are
scored by two affine maps (Dozat and Manning 2017), over weighted sums of the layers (Kondratyuk and Straka 2019).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional

from rubrica.language.wordpieces import KINDS

WIDTH, LAYERS, PARTS, INNER, POSITIONS = 384, 6, 12, 1536, 512
ARC, LABEL = 320, 128
HIDDEN_DROPOUT, HEAD_DROPOUT = 0.1, 0.3


class Sizes(NamedTuple):
    """How many pieces and classes there are."""

    pieces: int
    labels: int
    tags: int
    morphs: int
    lemmas: int


class Scores(NamedTuple):
    """For each word: its possible heads (column 0 is the root), labels under each, tags, lemmas, a new sentence."""

    arcs: Tensor
    labels: Tensor
    tags: Tensor
    morphs: Tensor
    lemmas: Tensor
    starts: Tensor


class Layer(nn.Module):
    """One layer of the encoder; names are those of the published weights."""

    def __init__(self) -> None:
        super().__init__()
        self.query, self.key, self.value, self.out = (nn.Linear(WIDTH, WIDTH) for _ in range(4))
        self.norm, self.last_norm = nn.LayerNorm(WIDTH, 1e-12), nn.LayerNorm(WIDTH, 1e-12)
        self.grow, self.shrink = nn.Linear(WIDTH, INNER), nn.Linear(INNER, WIDTH)
        self.drop = nn.Dropout(HIDDEN_DROPOUT)

    def forward(self, states: Tensor, mask: Tensor | None) -> Tensor:
        """The next states; ``mask`` is added to what is attended to."""

        def split(one: Tensor) -> Tensor:
            return one.view(one.shape[0], one.shape[1], PARTS, WIDTH // PARTS).transpose(1, 2)

        query, key, value = split(self.query(states)), split(self.key(states)), split(self.value(states))
        looked = query @ key.transpose(2, 3) / math.sqrt(WIDTH // PARTS)
        if mask is not None:
            looked = looked + mask
        seen = (self.drop(looked.softmax(-1)) @ value).transpose(1, 2)
        states = self.norm(states + self.drop(self.out(seen.reshape(states.shape[0], states.shape[1], WIDTH))))
        return self.last_norm(states + self.drop(self.shrink(functional.gelu(self.grow(states)))))


class Mix(nn.Module):
    """A weighted sum of the layers' states."""

    def __init__(self) -> None:
        super().__init__()
        self.weights = nn.Parameter(torch.tensor([*[-1.0] * (LAYERS - 1), 1.0]))

    def forward(self, states: list[Tensor]) -> Tensor:
        """One tensor of those of the layers."""
        shares = self.weights.softmax(0)
        mixed = shares[0] * states[0]
        for place in range(1, len(states)):
            mixed = mixed + shares[place] * states[place]
        return mixed


class Network(nn.Module):
    """Pieces of words in, scores for words out."""

    def __init__(self, sizes: Sizes) -> None:
        super().__init__()
        self.pieces = nn.Embedding(sizes.pieces, WIDTH)
        self.kinds = nn.Embedding(KINDS, WIDTH)
        self.positions = nn.Embedding(POSITIONS, WIDTH)
        self.norm = nn.LayerNorm(WIDTH, 1e-12)
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))
        self.tag_mix, self.tree_mix = Mix(), Mix()
        self.tags, self.morphs = nn.Linear(WIDTH, sizes.tags), nn.Linear(WIDTH, sizes.morphs)
        self.lemmas, self.starts = nn.Linear(WIDTH, sizes.lemmas), nn.Linear(WIDTH, 1)
        self.arc_of, self.arc_to = nn.Linear(WIDTH, ARC), nn.Linear(WIDTH, ARC)
        self.arc = nn.Linear(ARC + 1, ARC, bias=False)
        self.label_of, self.label_to = nn.Linear(WIDTH, LABEL), nn.Linear(WIDTH, LABEL)
        self.label = nn.Linear(LABEL + 1, sizes.labels * (LABEL + 1), bias=False)
        self.drop, self.head_drop = nn.Dropout(HIDDEN_DROPOUT), nn.Dropout(HEAD_DROPOUT)
        self.label_count = sizes.labels
        nn.init.zeros_(self.label.weight)
        nn.init.zeros_(self.arc.weight)

    def forward(self, ids: Tensor, kinds: Tensor, first: Tensor, last: Tensor, mask: Tensor | None = None) -> Scores:
        """``ids`` and ``kinds`` by piece, ``first`` and ``last`` pieces by word; all by text."""
        places = torch.arange(ids.shape[1], device=ids.device)
        states = self.pieces(ids) + self.kinds(kinds) + self.positions(places)
        states = self.drop(self.norm(states))
        all_states = []
        for layer in self.layers:
            states = layer(states, mask)
            all_states.append(states)
        tagging, trees = self.tag_mix(all_states), self.tree_mix(all_states)
        words = self.head_drop(_words(tagging, first, last))
        dependents = _words(trees, first, last)
        heads = torch.cat([trees[:, :1], dependents], dim=1)

        def of(layer: nn.Linear, one: Tensor) -> Tensor:
            return self.head_drop(functional.gelu(layer(one)))

        def with_one(one: Tensor) -> Tensor:
            return torch.cat([one, torch.ones_like(one[..., :1])], dim=-1)

        arcs = self.arc(with_one(of(self.arc_of, dependents))) @ of(self.arc_to, heads).transpose(1, 2)
        turned = self.label(with_one(of(self.label_of, dependents)))
        turned = turned.reshape(turned.shape[0], -1, LABEL + 1)
        labels = turned @ with_one(of(self.label_to, heads)).transpose(1, 2)
        labels = labels.reshape(labels.shape[0], -1, self.label_count, labels.shape[2])
        return Scores(
            arcs, labels, self.tags(words), self.morphs(words), self.lemmas(words), self.starts(words).squeeze(-1)
        )


def _words(states: Tensor, first: Tensor, last: Tensor) -> Tensor:
    """The mean of the states of words' first and last pieces."""

    def at(places: Tensor) -> Tensor:
        return states.gather(1, places.unsqueeze(-1).expand(-1, -1, WIDTH))

    return (at(first) + at(last)) * 0.5


class Shipped(nn.Module):
    """What is exported: one text, without padding; of each word the best classes, arcs as scores."""

    def __init__(self, network: Network) -> None:
        super().__init__()
        self.network = network

    def forward(self, ids: Tensor, kinds: Tensor, first: Tensor, last: Tensor) -> tuple[Tensor, ...]:
        """Arcs and starts are scores; a label is the best one under each head, the first label under the root alone."""
        scores = self.network(ids[None], kinds[None], first[None], last[None])
        labels = scores.labels[0, :, 1:].argmax(1) + 1
        best = [one[0].argmax(-1).to(torch.int32) for one in (scores.tags, scores.morphs, scores.lemmas)]
        return (scores.arcs[0], labels.to(torch.int32), *best, scores.starts[0])
