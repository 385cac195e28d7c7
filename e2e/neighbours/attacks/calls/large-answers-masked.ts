import type { Attack } from '../../attack.ts';
import { type Calling, callWithoutPause, HOSTILE_DOWNSTREAM, newCaller, startHostileDownstream } from '../../calling-tool.ts';

const BODY = JSON.stringify(Array.from({ length: 60_000 }, (_, n) => ({ email: `person-${n}@example.com`, note: 'x'.repeat(40) })));

export const attack: Attack<Calling> = {
  title: 'a tenant calls a tool that answers 5 MB of JSON, which its own rules mask',
  prepare: (scene) =>
    newCaller(scene, HOSTILE_DOWNSTREAM, {
      rules: [
        { id: 'hide', effect: 'MASK', reason: 'Hidden.', mask: { result: ['*.email', '*.*.deep', 'note'] } },
        { id: 'allow', effect: 'ALLOW', reason: 'Allowed here.' },
      ],
      tests: [{ name: 'masked', given: {}, then: { effect: 'MASK' } }],
    }),
  spend: async (calling, signal) => {
    const answer = Buffer.from(BODY);
    await startHostileDownstream((request, response) => {
      request.resume().once('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end(answer));
    });
    await callWithoutPause(calling, 8, signal);
  },
};
