import { describe, test } from 'node:test';
import { playSession, SESSIONS, titleOf } from './play-session.ts';

describe('the guides about tools', () => {
  for (const files of SESSIONS.tools) test(titleOf(files), () => playSession(files));
});
