import type { Attack } from '../../attack.ts';
import { type Calling, callWithoutPause, HOSTILE_DOWNSTREAM, newCaller, startHostileDownstream } from '../../calling-tool.ts';

const BODY = `[${'[],'.repeat(21_000)}[]]`;

export const attack: Attack<Calling> = {
  title: 'a tenant calls a tool that answers 64 KiB of empty lists over 32 connections without pause',
  prepare: (scene) => newCaller(scene, HOSTILE_DOWNSTREAM),
  spend: async (calling, signal) => {
    const answer = Buffer.from(BODY);
    await startHostileDownstream((request, response) => {
      request.resume().once('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end(answer));
    });
    await callWithoutPause(calling, 32, signal);
  },
};
