import { underNoSignal } from "../call/current-call.ts";
import { GrpcStatus, MpiError } from "../errors/index.ts";
import type { LinkageNotifier } from "../registers/ports.ts";
import { isTimeout, withDeadline } from "./deadline.ts";
import type { LinkageTeller } from "./ports.ts";

const DEADLINE_MS = 2000;

/**
 * Tells the WM service before the commit (setting `sync`): when it refuses or does not answer in two seconds, the
 * link is refused (MPI-039) and nothing is stored.
 */
export function synchronousTeller(
  notifier: LinkageNotifier,
  onTakeBackFailed: (error: unknown) => void,
): LinkageTeller {
  return {
    async tell(notification) {
      try {
        await withDeadline(DEADLINE_MS, (signal) => notifier.notify(notification, signal));
      } catch (cause) {
        // It says how the service failed: out of reach, late, or with an error of its own.
        if (cause instanceof MpiError && cause.says("WM_NOTIFICATION_FAILED")) throw cause;
        const status = isTimeout(cause) && { status: GrpcStatus.DEADLINE_EXCEEDED };
        throw new MpiError("WM_NOTIFICATION_FAILED", {}, { cause, ...status });
      }
    },
    async takeBack(notificationId) {
      try {
        // What undid the link may have been the end of its caller's time, or that the caller is gone.
        await underNoSignal(() =>
          withDeadline(DEADLINE_MS, (signal) => notifier.takeBack(notificationId, signal)),
        );
      } catch (error) {
        onTakeBackFailed(error);
      }
    },
  };
}
