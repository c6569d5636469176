# The commands of CONTRIBUTING.md by name: `just --list`.

# Build the command, target/debug/richman
build:
    cargo build

# Serve the web application, built from the sources
serve:
    cargo run --release --features web -- serve

# Unit tests, documentation examples, published tables, the oracle on random arenas
test:
    cargo test --workspace

# Everything that a change must pass
ci:
    .ci/run

# The command for other machines, target/dist/richman
release:
    .ci/release

# Fuzz every target for a number of seconds
fuzz seconds="60":
    fuzz/run {{ seconds }}

# The catalog against solvers with planted faults
faults:
    cargo test -p richman-catalog --features faults --test faults

# The web application in Chromium and Firefox
browser:
    browser/get-tools
    cargo test --manifest-path browser/Cargo.toml

# Pictures of every page, or of those whose names begin so, at four widths, light and dark
pictures folder *names:
    cargo run --manifest-path browser/Cargo.toml --bin pictures -- {{ folder }} {{ names }}

# A server under attack while honest people play, each attack for a number of seconds at least
attacks seconds="0" *names:
    RICHMAN_ATTACK={{ seconds }} cargo test --manifest-path attacks/Cargo.toml -- {{ names }}

# The package for Python, compared with target/release/richman
python *arguments:
    cargo build --release
    python/run-tests {{ arguments }}

# Record anew what commands print, to be looked through
record:
    INSTA_UPDATE=always cargo test -p richman-cli --test all -- recorded::

# Licences, advisories and sources of dependencies
deny:
    cargo deny check
    cargo deny --manifest-path python/Cargo.toml check --config deny.toml
