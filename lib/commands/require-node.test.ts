import { expect, it } from 'vitest';
import { complainAboutNode } from './require-node.mjs';

it.each(['20.19.0', '20.20.2', '22.0.0', '100.0.0'])('takes Node %s', (version) => {
  expect(complainAboutNode(version)).toBeNull();
});

it.each(['20.18.3', '18.20.0', '8.0.0'])('refuses Node %s in words', (version) => {
  expect(complainAboutNode(version)).toContain(`this is Node ${version}`);
});
