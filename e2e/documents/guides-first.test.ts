import { describe, test } from 'node:test';
import { playSession, titleOf } from './play-session.ts';
import { sessionsOf } from './sessions-of.ts';

describe('what is read first', () => {
  for (const files of sessionsOf('first')) test(titleOf(files), () => playSession(files));
});
