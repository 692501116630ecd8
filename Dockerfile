# The server as an image: `docker build --tag coatl .`, then see compose.yaml and docs/hosting.md.
#
# The rules are compiled here and not on the machine that runs them, so they are compiled for a processor that most
# machines have: x86-64-v3, which is Intel since Haswell (2013) and AMD since Excavator (2015). `--build-arg CPU=x86-64-v2`
# is for older ones. What it costs is in docs/performance.md.
#
# The version that the tests run with. All stages have the same, as compiled code is for one version.
ARG PYTHON=3.11-slim-bookworm

# ---------------------------------------------------------------- the wheel, with the page in it
FROM python:${PYTHON} AS wheel
WORKDIR /source
COPY requirements/build.lock requirements/
RUN python -m venv /build \
    && /build/bin/pip install --no-cache-dir --require-hashes --requirement requirements/build.lock
COPY . .
RUN /build/bin/python -m build --wheel --no-isolation --outdir /wheel

# ---------------------------------------------------------------- what is installed, and compiled
FROM python:${PYTHON} AS installed
ARG CPU=x86-64-v3
ENV NUMBA_CPU_NAME=${CPU} \
    NUMBA_CPU_FEATURES="" \
    COATL_CACHE_DIR=/opt/coatl/compiled
RUN python -m venv --without-pip /opt/coatl
COPY requirements/image.lock /
RUN pip --python /opt/coatl/bin/python install --no-cache-dir --require-hashes --requirement /image.lock
COPY --from=wheel /wheel /wheel
RUN pip --python /opt/coatl/bin/python install --no-cache-dir --no-deps /wheel/*.whl \
    && /opt/coatl/bin/coatl warmup \
    && chmod -R a+rX,go-w /opt/coatl

# ---------------------------------------------------------------- the image
FROM python:${PYTHON}
ARG CPU=x86-64-v3
RUN useradd --no-log-init --uid 10001 --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin coatl \
    && install --directory --owner coatl --group coatl --mode 0700 /var/lib/coatl
COPY --from=installed /opt/coatl /opt/coatl
# As above: compiled code is found by what it was compiled for. Nobody writes to /opt/coatl, so the root may be read-only.
ENV PATH=/opt/coatl/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    NUMBA_CPU_NAME=${CPU} \
    NUMBA_CPU_FEATURES="" \
    COATL_CACHE_DIR=/opt/coatl/compiled \
    COATL_HOST=0.0.0.0 \
    COATL_DATA=/var/lib/coatl
USER 10001:10001
VOLUME /var/lib/coatl
EXPOSE 8642
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s --retries=3 \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8642/readyz', timeout=4)"]
ENTRYPOINT ["coatl"]
CMD ["serve"]
