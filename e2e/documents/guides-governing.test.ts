import { describe, test } from 'node:test';
import { playSession, titleOf } from './play-session.ts';
import { sessionsOf } from './sessions-of.ts';

describe('the guides about existing functions and agents', () => {
  for (const files of sessionsOf('governing')) test(titleOf(files), () => playSession(files));
});
