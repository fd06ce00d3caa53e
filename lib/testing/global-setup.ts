import { randomInt } from 'node:crypto';
import type { TestProject } from 'vitest/node';
import { holdTestServer, type TestServer } from './cluster';
import { prepareTemplate } from './template';

declare module 'vitest' {
  interface ProvidedContext {
    testServer: Omit<TestServer, 'release'> & { template: string };
    /** Major version of the PostgreSQL that a project's tests run on; vitest.config.ts sets it. */
    postgres: number;
    /** Of everything generated in this run; printed by the tests that use it. */
    fuzzSeed: number;
  }
}

/** Once per run of the database tests: the server and its migrated template. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { release, ...server } = await holdTestServer(project.getProvidedContext().postgres);
  try {
    // A mutant's template is made by lib/commands/rules.ts before the run.
    const template = process.env.ONCEOVER_TEST_TEMPLATE || (await prepareTemplate({ ...server, release }));
    project.provide('fuzzSeed', Number(process.env.FUZZ_SEED || randomInt(2 ** 31)));
    project.provide('testServer', { ...server, template });
  } catch (error) {
    await release();
    throw error;
  }
  return release;
}
