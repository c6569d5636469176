# The command, serving the web application with its matches in /data:
#     docker build --tag richman . && docker run --publish 8080:8080 --volume richman:/data richman
# Other commands: docker run --rm richman solve tic-tac-toe
FROM rust:1-slim AS build
RUN apt-get update && apt-get install --yes --no-install-recommends gcc libc6-dev
WORKDIR /source
COPY . .
RUN .ci/release

FROM debian:stable-slim
COPY --from=build /source/target/dist/richman /usr/local/bin/richman
RUN useradd --create-home --home-dir /data richman
USER richman
WORKDIR /data
VOLUME /data
EXPOSE 8080
ENTRYPOINT ["richman"]
CMD ["serve", "--listen", "0.0.0.0:8080", "--store", "/data/richman.sqlite"]
