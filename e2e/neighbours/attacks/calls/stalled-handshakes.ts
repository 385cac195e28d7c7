import { createServer } from 'node:net';
import { type Attack, HOSTILE_ADDRESS } from '../../attack.ts';
import { type Calling, callWithoutPause, newCaller } from '../../calling-tool.ts';

const PORT = 53_602;

/** The connections are open and silent: each call begins a TLS handshake that waits for the call's whole timeout. */
export const attack: Attack<readonly Calling[]> = {
  title: 'four tenants call hosts over TLS that stall in the handshake, 200 at once each',
  // All handshakes begin in the first seconds, which is more than the second that a short run tolerates.
  longOnly: true,
  prepare: (scene) => Promise.all(Array.from({ length: 4 }, () => newCaller(scene, `https://${HOSTILE_ADDRESS}:${PORT}/`))),
  spend: async (callings, signal) => {
    createServer((socket) => socket.on('error', () => undefined).resume()).listen(PORT, HOSTILE_ADDRESS, 2_048);
    await Promise.all(callings.map((calling) => callWithoutPause(calling, 200, signal)));
  },
};
