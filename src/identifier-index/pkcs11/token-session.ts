import type * as Pkcs11 from "pkcs11js";

/** How a token of an HSM is reached. */
export interface TokenSettings {
  /** Path of the PKCS#11 library of the HSM. */
  readonly module: string;
  readonly tokenLabel: string;
  readonly pin: string;
}

/** A session on a token, logged in as its user. */
export interface TokenSession {
  readonly library: typeof Pkcs11;
  readonly module: Pkcs11.PKCS11;
  readonly handle: Pkcs11.Handle;
}

/**
 * Does work in a session on a token. The calls of PKCS#11 block; they are made when keys are loaded, at the start and
 * when the keys change, and by no request.
 */
export async function withToken<T>(settings: TokenSettings, work: (session: TokenSession) => T): Promise<T> {
  const library = await loadLibrary();
  const module = new library.PKCS11();
  module.load(settings.module);
  try {
    module.C_Initialize();
    try {
      return inSession(library, module, settings, work);
    } finally {
      module.C_Finalize();
    }
  } finally {
    module.close();
  }
}

/** The native module is an optional dependency: only who has an HSM needs it. */
async function loadLibrary(): Promise<typeof Pkcs11> {
  try {
    return (await import("pkcs11js")).default;
  } catch (cause) {
    throw new Error("The package pkcs11js, which speaks to an HSM, is not installed or was not built.", {
      cause,
    });
  }
}

function inSession<T>(
  library: typeof Pkcs11,
  module: Pkcs11.PKCS11,
  { tokenLabel, pin }: TokenSettings,
  work: (session: TokenSession) => T,
): T {
  const slot = module
    .C_GetSlotList(true)
    .find((one) => module.C_GetTokenInfo(one).label.trim() === tokenLabel);
  if (!slot) throw new Error(`The HSM has no token of the label ${tokenLabel}.`);
  const handle = module.C_OpenSession(slot, library.CKF_SERIAL_SESSION | library.CKF_RW_SESSION);
  const logIn = () => {
    try {
      module.C_Login(handle, library.CKU_USER, pin);
    } catch (cause) {
      throw new Error(
        `The HSM refuses the PIN for the token ${tokenLabel}: look at MPI_PKCS11_PIN or MPI_PKCS11_PIN_FILE.`,
        { cause },
      );
    }
  };
  try {
    logIn();
    return work({ library, module, handle });
  } finally {
    module.C_CloseSession(handle);
  }
}
