# The Worker on the bare runtime. Paths and ports are given on the command line, keys by environment.
using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "main", worker = .worker),
    (name = "pages", assets = (path = ".", compatibilityDate = "2026-11-01",
      config = "{\"html_handling\":\"none\",\"not_found_handling\":\"none\"}")),
    (name = "cache", worker = .cache),
    (name = "d1", worker = .d1),
    (name = "storage", disk = (writable = true)),
    # The local origin listens on loopback.
    (name = "internet", network = (allow = ["private", "public"], tlsOptions = (trustBrowserCas = true))),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);

const worker :Workerd.Worker = (
  modules = [
    MODULES
  ],
  compatibilityDate = "2026-11-01",
  bindings = [
    (name = "LINE_SHARD", durableObjectNamespace = "LineShard"),
    (name = "PACER", durableObjectNamespace = "Pacer"),
    (name = "ASSETS", service = (name = "pages", entrypoint = "AssetWorker")),
    (name = "SEARCH", wrapped = (moduleName = "cloudflare-internal:d1-api", innerBindings = [
      (name = "fetcher", service = (name = "d1", props = (json = "{\"database\":\"search\"}"))),
    ])),
    VARIABLES
  ],
  durableObjectNamespaces = [
    (className = "LineShard", uniqueKey = "onsale-line-shard", enableSql = true),
    (className = "Pacer", uniqueKey = "onsale-pacer", enableSql = true),
  ],
  durableObjectStorage = (localDisk = "storage"),
  globalOutbound = "internet",
  cacheApiOutbound = "cache",
);

# The runtime's own D1: each database is the SQLite database of one Durable Object.
const d1 :Workerd.Worker = (
  modules = [(name = "d1.js", bundled = "/workerd/d1.js")],
  compatibilityDate = "2026-11-01",
  bindings = [(name = "DATABASE", durableObjectNamespace = "D1Database")],
  durableObjectNamespaces = [(className = "D1Database", uniqueKey = "onsale-search", enableSql = true)],
  durableObjectStorage = (localDisk = "storage"),
);

const cache :Workerd.Worker = (
  modules = [(name = "cache.mjs", esModule = CACHE)],
  compatibilityDate = "2026-11-01",
);
