import { demoConnectors, type DemoConnector } from './demo/connectors';
import { DEMO_POLICIES, type DemoPolicy } from './demo/policies';
import { type SandboxSettings } from './settings';

const TENANTS = ['tenant-north', 'tenant-south'] as const;

interface DemoConfiguration {
  policies: (DemoPolicy & { tenantId: string })[];
  connectors: DemoConnector[];
}

/** The demo's operation policies and connectors, the same in both tenants. All of it is invented. */
export function demoConfiguration(settings: SandboxSettings): DemoConfiguration {
  const policies = TENANTS.flatMap((tenantId) => DEMO_POLICIES.map((policy) => ({ tenantId, ...policy })));
  return { policies, connectors: demoConnectors(settings) };
}
