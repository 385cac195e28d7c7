import { describe, test } from 'node:test';
import { playSession, SESSIONS, titleOf } from './play-session.ts';

describe('the guides about agents', () => {
  for (const files of SESSIONS.agents) test(titleOf(files), () => playSession(files));
});
