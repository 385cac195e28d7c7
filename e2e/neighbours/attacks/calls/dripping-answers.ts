import type { Attack } from '../../attack.ts';
import { type Calling, callWithoutPause, HOSTILE_DOWNSTREAM, newCaller, startHostileDownstream } from '../../calling-tool.ts';

export const attack: Attack<Calling> = {
  title: 'a tenant has hundreds of calls under way to one host, whose answers come a byte a second',
  prepare: (scene) => newCaller(scene, HOSTILE_DOWNSTREAM),
  spend: async (calling, signal) => {
    await startHostileDownstream((request, response) => {
      request.resume();
      response.writeHead(200, { 'content-type': 'application/json' });
      const timer = setInterval(() => response.write(' '), 1_000);
      response.once('close', () => clearInterval(timer));
    });
    await callWithoutPause(calling, 400, signal);
  },
};
