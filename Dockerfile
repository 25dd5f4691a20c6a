# Lemmata in a container.
#
#   docker build -t lemmata .
#   docker run --rm -v "$PWD:/work" --user "$(id -u):$(id -g)" lemmata check model.vmt
#
# The first stage builds the package of `make deb`, the second one installs it with what it
# recommends: clang for C, yosys for Verilog.
FROM debian:12 AS build
RUN apt-get update && apt-get install -y --no-install-recommends make
WORKDIR /src
COPY . .
RUN make deb CMAKE_ARGS=-DBUILD_TESTING=OFF

FROM debian:12
COPY --from=build /src/build/lemmata_*.deb /tmp/lemmata.deb
RUN apt-get update && apt-get install -y /tmp/lemmata.deb \
  && rm -rf /var/lib/apt/lists/* /tmp/lemmata.deb
WORKDIR /work
ENTRYPOINT ["lemmata"]
