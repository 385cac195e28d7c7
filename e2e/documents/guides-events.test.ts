import { describe, test } from 'node:test';
import { playSession, SESSIONS, titleOf } from './play-session.ts';

describe('the guides about events', () => {
  for (const files of SESSIONS.events) test(titleOf(files), () => playSession(files));
});
