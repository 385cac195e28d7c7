import { bearerTransport, createControlClient, createGatewayClient } from '@svc/client/client.ts';
import { buildReachableUrl } from '@svc/program/settings/reachable-url.ts';
import { findRunning, type Whereabouts } from '../../data-folder/run-claim.ts';
import { LaunchFault } from '../../faults/launch-fault.ts';
import { readLauncherSettings } from '../../settings/settings.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** True if both servers are ready; false also if one is unreachable. */
const isReady = async ({ controlUrl, gatewayUrl }: Whereabouts): Promise<boolean> => {
  const optionsFor = (url: string) => ({ transport: bearerTransport({ url }), timeoutMs: 10_000, retries: 0 });
  const ready = await Promise.all([
    createControlClient(optionsFor(controlUrl)).request('controlReady'),
    createGatewayClient(optionsFor(gatewayUrl)).request('gatewayReady'),
  ]);
  return ready.every(({ ok }) => ok);
};

/** Returns a fault if the given host or port is not that of the data folder's service: then another one is meant. */
const contradiction = (env: Env, { controlUrl, gatewayUrl }: Whereabouts, asked: Whereabouts): string | undefined => {
  const isNamed = (name: string): boolean => (env[name]?.trim() ?? '') !== '';
  if (isNamed('HOST') && new URL(controlUrl).hostname !== new URL(asked.controlUrl).hostname) return 'HOST';
  if (isNamed('CONTROL_PLANE_PORT') && new URL(controlUrl).port !== new URL(asked.controlUrl).port) return 'CONTROL_PLANE_PORT';
  return isNamed('GATEWAY_PORT') && new URL(gatewayUrl).port !== new URL(asked.gatewayUrl).port ? 'GATEWAY_PORT' : undefined;
};

/** Finds the running service of the data folder in these settings. Throws a LaunchFault with the remedy if there is none. */
export const findService = async (env: Env, projectRoot: string): Promise<Whereabouts> => {
  const { settings, faults } = readLauncherSettings(env, projectRoot);
  if (faults.length > 0) throw new LaunchFault(...faults);
  const found = findRunning(settings.dataDir);
  if (found === undefined) {
    throw new LaunchFault(
      `No service runs from ${settings.dataDir}: start it with "npm start" in another terminal, or name its data folder with DATA_DIR.`,
    );
  }
  const asked = {
    controlUrl: buildReachableUrl(settings.host, settings.controlPlanePort),
    gatewayUrl: buildReachableUrl(settings.host, settings.gatewayPort),
    sandboxOrigin: '',
    sandboxKey: '',
  };
  const wrong = contradiction(env, found, asked);
  if (wrong !== undefined) {
    throw new LaunchFault(
      `The service of ${settings.dataDir} is at ${found.controlUrl} and ${found.gatewayUrl}: leave ${wrong} out, or name the data folder of the one you mean with DATA_DIR.`,
    );
  }
  if (!(await isReady(found))) throw new LaunchFault(`The service of ${settings.dataDir} does not answer yet: try again in a moment.`);
  return found;
};
