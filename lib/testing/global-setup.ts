import type { TestProject } from 'vitest/node';
import { holdTestServer, type TestServer } from './cluster';
import { prepareTemplate } from './template';

declare module 'vitest' {
  interface ProvidedContext {
    testServer: Omit<TestServer, 'release'> & { template: string };
    /** Major version of the PostgreSQL that a project's tests run on; vitest.config.ts sets it. */
    postgres: number;
  }
}

/** Once per run of the database tests: the server and its migrated template. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { release, ...server } = await holdTestServer(project.getProvidedContext().postgres);
  try {
    // A mutant's template is made by lib/commands/rules.ts before the run.
    const template = process.env.ONCEOVER_TEST_TEMPLATE || (await prepareTemplate({ ...server, release }));
    project.provide('testServer', { ...server, template });
  } catch (error) {
    await release();
    throw error;
  }
  return release;
}
