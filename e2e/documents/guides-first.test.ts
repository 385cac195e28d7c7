import { describe, test } from 'node:test';
import { getSessions } from './list-sessions.ts';
import { formatSessionTitle, playSession } from './play-session.ts';

describe('the documents to read first', () => {
  for (const files of getSessions('first')) test(formatSessionTitle(files), () => playSession(files));
});
