import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseSamlTime } from './assertion-fault.ts';
import { findXmlFault } from './xml-fault.ts';

const BOUNDS = { elements: 10, attributes: 10, namespaces: 4, depth: 3 };
const getFault = (xml: string) => findXmlFault(xml, BOUNDS);

test('accepts one element, with text, attributes and the five entities', () => {
  for (const good of [
    '<a/>',
    '<?xml version="1.0" encoding="UTF-8"?>\n<a b="1" c=\'2\'>x &amp; &#38; &#x26;<b:c xmlns:b="u"/>\n</a>\n',
    '<a b="x > y"></a >',
    '<ä>é</ä>',
  ])
    assert.equal(getFault(good), undefined, good);
});

test('rejects what parsers read differently', () => {
  for (const bad of [
    '',
    'x',
    '<a>',
    '</a>',
    '<a></a><b/>',
    '<a/>x',
    'x<a/>',
    '<a></a></a>',
    '<!DOCTYPE a><a/>',
    '<!ENTITY a "b"><a/>',
    '<a><!-- --></a>',
    '<a><![CDATA[x]]></a>',
    '<a><?x?></a>',
    '<?xml version="1.1"?><a/>',
    '<?xml version="1.0" encoding="utf-16"?><a/>',
    '<a>&b;</a>',
    '<a b="&c;"/>',
    '<a b=1/>',
    '<a b="<"/>',
    '<a b/>',
    '<a\u0000/>',
    '<a>\u0008</a>',
    '<a>\ufffe</a>',
    '<a b="1"',
    '<a></a b="1">',
    '< a/>',
  ])
    assert.notEqual(getFault(bad), undefined, JSON.stringify(bad));
});

test('bounds elements, attributes, namespaces and depth before building anything', () => {
  assert.match(getFault(`<a>${'<b/>'.repeat(10)}</a>`) ?? '', /elements/);
  assert.match(getFault(`${'<a>'.repeat(4)}${'</a>'.repeat(4)}`) ?? '', /deep/);
  assert.match(getFault(`<a ${Array.from({ length: 11 }, (_, n) => `b${n}=""`).join(' ')}/>`) ?? '', /attributes/);
  assert.match(getFault(`<a ${Array.from({ length: 5 }, (_, n) => `xmlns:b${n}="u"`).join(' ')}/>`) ?? '', /namespaces/);
});

test('takes linear time', () => {
  const before = process.cpuUsage();
  for (const text of ['<', '<a ', ' ', '<a b=" ', '&', 'a="', '<a b="" ', '<a></a', "<a b='"]) getFault(`<a ${text.repeat(30_000)}`);
  assert.ok(process.cpuUsage(before).user < 2_000_000);
});

test('reads a time in UTC, to the millisecond', () => {
  assert.equal(parseSamlTime('2026-01-02T03:04:05Z'), Date.UTC(2026, 0, 2, 3, 4, 5));
  assert.equal(parseSamlTime('2026-01-02T03:04:05.1239999Z'), Date.UTC(2026, 0, 2, 3, 4, 5, 123));
  for (const none of [
    '2026-01-02T03:04:05',
    '2026-01-02T03:04:05+00:00',
    '2026-13-02T03:04:05Z',
    '2026-01-02',
    '',
    undefined,
    ' 2026-01-02T03:04:05Z',
  ])
    assert.ok(Number.isNaN(parseSamlTime(none)), none);
});
