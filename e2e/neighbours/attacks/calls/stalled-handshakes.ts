import { createServer } from 'node:net';
import { type Attack, HOSTILE_ADDRESS } from '../../attack.ts';
import { type Calling, callWithoutPause, newCaller } from '../../calling-tool.ts';

const PORT = 53_602;

/** The connections stand, and nothing is ever said over them: each call begins a handshake that waits for as long as a call may take. */
export const attack: Attack<readonly Calling[]> = {
  title: 'four tenants call hosts over TLS that stall in the handshake, 200 at once each',
  // All handshakes are begun in the first seconds, which is more than the second of a short run forgives.
  longOnly: true,
  prepare: (scene) => Promise.all(Array.from({ length: 4 }, () => newCaller(scene, `https://${HOSTILE_ADDRESS}:${PORT}/`))),
  spend: async (callings, signal) => {
    createServer((socket) => socket.on('error', () => undefined).resume()).listen(PORT, HOSTILE_ADDRESS, 2_048);
    await Promise.all(callings.map((calling) => callWithoutPause(calling, 200, signal)));
  },
};
