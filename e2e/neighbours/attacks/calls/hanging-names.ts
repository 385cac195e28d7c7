import { createSocket } from 'node:dgram';
import { type Attack, HOSTILE_ADDRESS } from '../../attack.ts';
import { type Calling, callWithoutPause, newCaller } from '../../calling-tool.ts';

const PORT = 53_535;

export const attack: Attack<Calling> = {
  title: 'a tenant calls hosts with names that never resolve, 200 at once',
  longOnly: true,
  // The neighbour calls a name of the hosts file; every other name is resolved by a server that never responds.
  env: { SVC_EGRESS_NAME_SERVERS: `${HOSTILE_ADDRESS}:${PORT}` },
  prepare: (scene) =>
    newCaller(scene, 'http://{name}.hangs.example/', {
      tool: {
        destination_allowlist: ['*.hangs.example'],
        parameters_schema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
      },
    }),
  spend: async (calling, signal) => {
    createSocket('udp4').bind(PORT, HOSTILE_ADDRESS);
    await callWithoutPause(calling, 200, signal, (turn) => ({ name: `n${turn}` }));
  },
};
