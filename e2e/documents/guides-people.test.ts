import { describe, test } from 'node:test';
import { playSession, titleOf } from './play-session.ts';
import { sessionsOf } from './sessions-of.ts';

describe('the guides about people', () => {
  for (const files of sessionsOf('people')) test(titleOf(files), () => playSession(files));
});
