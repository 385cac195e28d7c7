import type { Input, newCaller } from './caller.ts';
import type { CallOutcome } from './client-types.ts';
import { ServiceError } from './errors.ts';

type Request = (name: string, input?: Input) => Promise<CallOutcome<unknown>>;

/** Sends requests of a caller and returns a refusal or a failure instead of throwing it. */
export const newRequest =
  (call: ReturnType<typeof newCaller>): Request =>
  async (name, input) => {
    try {
      const { response, body } = await call(name, input);
      return { ok: true, status: response.status, headers: response.headers, body };
    } catch (error) {
      if (error instanceof ServiceError) return { ok: false, error };
      throw error;
    }
  };
