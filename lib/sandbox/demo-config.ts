import { demoConnectors, type DemoConnector } from './demo/connectors';
import { DEMO_POLICIES, type DemoPolicy } from './demo/policies';
import { type SandboxSettings } from './settings';

const TENANTS = ['tenant-north', 'tenant-south'] as const;

interface DemoConfiguration {
  policies: (DemoPolicy & { tenantId: string })[];
  connectors: (DemoConnector & { tenantId: string })[];
}

/** The demo's operation policies and connectors, the same in both tenants. All of it is invented. */
export function demoConfiguration(settings: SandboxSettings): DemoConfiguration {
  const each = <Row extends object>(rows: readonly Row[]) =>
    TENANTS.flatMap((tenantId) => rows.map((row) => ({ tenantId, ...row })));
  return { policies: each(DEMO_POLICIES), connectors: each(demoConnectors(settings)) };
}
