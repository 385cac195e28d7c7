import assert from 'node:assert/strict';
import { test } from 'node:test';
import { escapeToAscii, removeHttpClient } from './read-fast.ts';

/** Evaluates an expression. */
const getOutcome = (code: string): unknown => new Function(`return ${code}`)();

const EXPRESSIONS = [
  `'é \u2014 💶'`,
  '`ü \n 💶`',
  `'\\é'`,
  `'\\\\é'`,
  `'\\\\\\é'`,
  `[/^[\u4e00-\u9fff]+$/.test('\u4e2d'), /\\é/.test('é'), /\\\\é/.test('\\\\é')]`,
  `[/^[💶-💸]$/u.test('💷'), /^[💶-💸]$/v.test('💷'), /^.$/u.test('💷'), /💶/.test('💶')]`,
  `({ größe: 1, 'größe é': 2 })`,
  '`a`.split("") /* é */',
  'String.raw`é\\n`',
  '[((strings) => strings.raw[0])`a`, "é"]',
];

test('a program in ASCII prints the same', () => {
  for (const code of EXPRESSIONS) assert.deepEqual(getOutcome(escapeToAscii(code)), getOutcome(code), code);
});

test('a program is in ASCII unless it uses String.raw', () => {
  for (const code of EXPRESSIONS) assert.equal(/^\p{ASCII}*$/u.test(escapeToAscii(code)), !code.startsWith('String.raw'), code);
});

test('the HTTP module is replaced in every form of import in a bundle, and nothing else is changed', () => {
  const get = 'process.getBuiltinModule("node:http");';
  assert.equal(removeHttpClient('import http from "node:http";'), `const http = ${get}`);
  assert.equal(
    removeHttpClient('import { Agent, createServer as serve$1 } from "node:http";'),
    `const { Agent, createServer: serve$1 } = ${get}`,
  );
  assert.equal(removeHttpClient('import http, { Agent } from "http";'), `const http = ${get} const { Agent } = ${get}`);
  for (const other of [
    'import { request } from "node:https";',
    'import { connect } from "node:http2";',
    'a = \'import http from "node:http"\';',
  ])
    assert.equal(removeHttpClient(other), other);
});
