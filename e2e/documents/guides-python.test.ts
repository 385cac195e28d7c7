import { describe, test } from 'node:test';
import { findPython } from '@svc/testing/processes/find-python.ts';
import { getSessions } from './list-sessions.ts';
import { formatSessionTitle, playSession } from './play-session.ts';

describe('the guide about Python agents', { skip: findPython().missing }, () => {
  for (const files of getSessions('python')) test(formatSessionTitle(files), () => playSession(files));
});
