import { describe, test } from 'node:test';
import { getSessions } from './list-sessions.ts';
import { formatSessionTitle, playSession } from './play-session.ts';

describe('the guides about existing functions and agents', () => {
  for (const files of getSessions('governing')) test(formatSessionTitle(files), () => playSession(files));
});
