import { describe, test } from 'node:test';
import { getSessions } from './list-sessions.ts';
import { formatSessionTitle, playSession } from './play-session.ts';

describe('the guides about events', () => {
  for (const files of getSessions('events')) test(formatSessionTitle(files), () => playSession(files));
});
