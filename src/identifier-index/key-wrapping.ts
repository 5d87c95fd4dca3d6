/**
 * How the secret part of a key is kept in the key file: wrapped by a key that is elsewhere. `keyId` is bound in, so
 * that what was wrapped as one key does not open as another.
 */
export interface KeyWrapping {
  /** Stands with every key of the file, so that a file is not opened in another way than it was made. */
  readonly name: string;
  /** Makes what wrapping takes; called once, before the first key of a new file. */
  prepare(): Promise<void>;
  wrap(keyId: string, secret: Uint8Array): Promise<Uint8Array>;
  /** Throws when it was not wrapped so. */
  unwrap(keyId: string, wrapped: Uint8Array): Promise<Uint8Array>;
}

/** The wrappings of a key file: each key opens by the one that it was made with, whichever a new key gets. */
export interface KeyWrappings {
  readonly forNew: KeyWrapping;
  /** Undefined where the settings do not say how to reach it. */
  named(name: string): KeyWrapping | undefined;
}

/** Keys lie in the file as they are, and its mode protects them. */
export const unwrapped: KeyWrapping = {
  name: "none",
  prepare: async () => undefined,
  wrap: async (_keyId, secret) => secret,
  unwrap: async (_keyId, wrapped) => wrapped,
};

/** Where there is no HSM. */
export const unwrappedOnly: KeyWrappings = {
  forNew: unwrapped,
  named: (name) => (name === unwrapped.name ? unwrapped : undefined),
};
