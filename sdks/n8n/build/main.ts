import { resolve } from 'node:path';
import { bundleNode } from './bundle-node.ts';

// Another folder may be named, for tests and for the bundle of managed runtimes.
await bundleNode(process.argv[2] ?? resolve(import.meta.dirname, '../dist'));
