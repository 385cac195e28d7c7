import type { Attack } from '../../attack.ts';
import { type Calling, callWithoutPause, HOSTILE_DOWNSTREAM, newCaller, startHostileDownstream } from '../../calling-tool.ts';

const HINTS = 'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n'.repeat(2_000);

export const attack: Attack<Calling> = {
  title: 'a tenant calls a tool that announces an answer for ever and gives none, 32 at once',
  prepare: (scene) => newCaller(scene, HOSTILE_DOWNSTREAM),
  spend: async (calling, signal) => {
    await startHostileDownstream((request) => {
      const more = (): void => {
        if (!request.socket.destroyed) request.socket.write(HINTS, more);
      };
      request.socket.on('error', () => undefined);
      more();
    });
    await callWithoutPause(calling, 32, signal);
  },
};
