import { describe, test } from 'node:test';
import { playSession, titleOf } from './play-session.ts';
import { sessionsOf } from './sessions-of.ts';

describe('the guides about agents', () => {
  for (const files of sessionsOf('agents')) test(titleOf(files), () => playSession(files));
});
