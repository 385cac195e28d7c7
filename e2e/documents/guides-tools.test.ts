import { describe, test } from 'node:test';
import { playSession, titleOf } from './play-session.ts';
import { sessionsOf } from './sessions-of.ts';

describe('the guides about tools', () => {
  for (const files of sessionsOf('tools')) test(titleOf(files), () => playSession(files));
});
