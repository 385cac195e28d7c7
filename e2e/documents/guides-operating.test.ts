import { describe, test } from 'node:test';
import { playSession, titleOf } from './play-session.ts';
import { sessionsOf } from './sessions-of.ts';

describe('the guides about operating', () => {
  for (const files of sessionsOf('operating')) test(titleOf(files), () => playSession(files));
});
