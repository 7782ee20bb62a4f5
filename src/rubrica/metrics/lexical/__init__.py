"""The figures of the lexical shared tasks: complexity (LCP 2021) and simplification (TSAR 2022, MLSP 2024)."""
