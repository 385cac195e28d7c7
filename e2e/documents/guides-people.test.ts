import { describe, test } from 'node:test';
import { playSession, SESSIONS, titleOf } from './play-session.ts';

describe('the guides about people', () => {
  for (const files of SESSIONS.people) test(titleOf(files), () => playSession(files));
});
