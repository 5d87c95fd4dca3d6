import { isIP } from "node:net";
import { checkServerIdentity } from "node:tls";
import { ChannelCredentials, Client, logVerbosity, setLogVerbosity } from "@grpc/grpc-js";

/** Where the core is and how it is spoken to. */
export interface RemoteCore {
  /** A gRPC target: host:port, dns:///name:port, unix:path. */
  readonly target: string;
  /** How many connections to open; more than one only helps with a core of several processes. 1 unless given. */
  readonly channels?: number;
  /** `round_robin` spreads the calls over all addresses of the target; `pick_first` (unless given) takes one. */
  readonly loadBalancing?: "pick_first" | "round_robin";
  /** How often a connection is probed, in milliseconds, so that a core that vanished without a word is noticed; 15 s unless given. */
  readonly keepaliveMs?: number;
  /** The largest answer that is read, in bytes; 64 MB unless given. */
  readonly mostAnswerBytes?: number;
  /** Whether look-ups made at the same moment are sent together; not unless given. */
  readonly gatherCalls?: boolean;
  /** Without it the channel is plain text. */
  readonly tls?: ClientTls;
}

/** PEM. `ca` vouches for the core; with `certificate` and `key` the gateway shows who it is (mTLS). */
export interface ClientTls {
  readonly ca: Buffer;
  readonly certificate?: Buffer;
  readonly key?: Buffer;
  /** The name in the core's certificate, where it is another than that of the target. */
  readonly serverName?: string;
}

/** Channels to a core, taken in turn. */
export class Channels {
  readonly #clients: readonly Client[];
  #next = 0;

  constructor(core: RemoteCore) {
    // grpc-js would print the values of metadata that it cannot read.
    setLogVerbosity(logVerbosity.NONE);
    const credentials = channelCredentials(core);
    const options = channelOptions(core);
    this.#clients = Array.from(
      { length: core.channels ?? 1 },
      () => new Client(core.target, credentials, options),
    );
  }

  /** The channel for the next call. */
  next(): Client {
    this.#next = (this.#next + 1) % this.#clients.length;
    return this.#clients[this.#next] as Client;
  }

  /** Ends all channels; calls that run are cut off. */
  close(): void {
    for (const client of this.#clients) client.close();
  }
}

function channelCredentials(core: RemoteCore): ChannelCredentials {
  const { tls } = core;
  if (!tls) return ChannelCredentials.createInsecure();
  const address = namelessAddress(core);
  return ChannelCredentials.createSsl(tls.ca, tls.key ?? null, tls.certificate ?? null, {
    ...(address !== undefined && {
      checkServerIdentity: (_name, certificate) => checkServerIdentity(address, certificate),
    }),
  });
}

/** Sent where the core has an address alone: TLS has no way to ask for one (RFC 6066, 3), and grpc-js always asks. */
const NO_NAME = "core.invalid";

/** The IP address that the certificate of the core must hold; undefined where the core is known by a name. */
function namelessAddress({ target, tls }: RemoteCore): string | undefined {
  if (!tls || tls.serverName !== undefined) return undefined;
  const [, bracketed, plain = bracketed] = /(?:\[([^\]]+)\]|([^/:]+)):\d+$/.exec(target) ?? [];
  return plain !== undefined && isIP(plain) !== 0 ? plain : undefined;
}

function serverNameOf(core: RemoteCore): string | undefined {
  return namelessAddress(core) === undefined ? core.tls?.serverName : NO_NAME;
}

function channelOptions(core: RemoteCore) {
  const { channels = 1, loadBalancing = "pick_first" } = core;
  const { keepaliveMs = 15_000, mostAnswerBytes = 64 * 1024 * 1024 } = core;
  const serverName = serverNameOf(core);
  return {
    "grpc.enable_channelz": 0,
    ...(serverName !== undefined && { "grpc.ssl_target_name_override": serverName }),
    "grpc.max_receive_message_length": mostAnswerBytes,
    // Without a pool of its own every channel would share one connection.
    "grpc.use_local_subchannel_pool": channels > 1 ? 1 : 0,
    "grpc.service_config": JSON.stringify({ loadBalancingConfig: [{ [loadBalancing]: {} }] }),
    "grpc.service_config_disable_resolution": 1,
    "grpc.keepalive_time_ms": keepaliveMs,
    "grpc.keepalive_timeout_ms": Math.ceil(keepaliveMs / 3),
    "grpc.keepalive_permit_without_calls": 1,
    // A core that was restarted is found again within a second.
    "grpc.initial_reconnect_backoff_ms": 100,
    "grpc.max_reconnect_backoff_ms": 1_000,
    "grpc.dns_min_time_between_resolutions_ms": 1_000,
  };
}
