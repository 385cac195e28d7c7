import { resolve } from 'node:path';
import { bundleNode } from './bundle-node.ts';

await bundleNode(resolve(import.meta.dirname, '../dist'));
