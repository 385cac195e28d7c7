import { describe, test } from 'node:test';
import { getSessions } from './list-sessions.ts';
import { formatSessionTitle, playSession } from './play-session.ts';

describe('the guides about operating', () => {
  for (const files of getSessions('operating')) test(formatSessionTitle(files), () => playSession(files));
});
