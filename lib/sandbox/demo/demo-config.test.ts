import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { secretsOf } from '@/lib/domain/connector';
import { operationGuideSchema } from '@/lib/domain/operation-guide';
import { OPERATIONS } from '../automations/intent';
import { secretVariables } from '../settings';
import { demoConfiguration } from '../demo-config';
import { DEMO_POLICIES } from './policies';

const settings = Object.fromEntries(
  ['crm', 'mail', 'payment'].map((name, index) => [name, { port: 20_000 + index, secret: 'x'.repeat(32) }]),
) as Parameters<typeof demoConfiguration>[0];

const configuration = demoConfiguration(settings);

describe('demo configuration', () => {
  it('has one policy per operation and tenant, with a guide in both languages that says what is invented', () => {
    expect(DEMO_POLICIES.map(({ operation }) => operation).sort()).toEqual([...OPERATIONS].sort());
    expect(configuration.policies).toHaveLength(2 * OPERATIONS.length);
    for (const policy of DEMO_POLICIES) {
      const guide = operationGuideSchema.parse(policy.guide);
      expect(`${guide.en.purpose}${guide.ko.purpose}`).toMatch(/fictitious.*가상/);
    }
  });

  it('names only connectors that exist, whose secrets the sandbox provides, on loopback', () => {
    const ids = configuration.connectors.map(({ connectorId }) => connectorId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { connectorId } of configuration.policies) expect(ids).toContain(connectorId);
    for (const { recipe } of configuration.connectors) {
      expect(recipe.place).toContain('fictitious');
      expect(recipe).toMatchObject({
        baseUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/) as unknown,
      });
      for (const secret of secretsOf(recipe))
        expect(secretVariables(settings)).toHaveProperty(`SECRET_${secret}`);
    }
  });

  it('asks only for display fields that the policy keeps', () => {
    for (const policy of DEMO_POLICIES) {
      const connector = configuration.connectors.find(
        ({ connectorId }) => connectorId === policy.connectorId,
      );
      const asked = [...JSON.stringify(connector?.recipe).matchAll(/\{display:([^}]+)\}/g)];
      expect(asked.length).toBeGreaterThan(0);
      for (const [, field] of asked) expect(policy.displayFields).toContain(field);
    }
  });

  it('names only columns of ledger.operation_policies', () => {
    const schema = fs.readFileSync('prisma/schema/ledger.prisma', 'utf8');
    const model = schema.slice(schema.indexOf('model OperationPolicy {'));
    const columns = model
      .slice(0, model.indexOf('\n}\n'))
      .match(/^ {2}[a-zA-Z]+(?= )/gm)
      ?.map((line) => line.trim());
    for (const policy of DEMO_POLICIES)
      for (const member of Object.keys(policy)) expect(columns).toContain(member);
  });
});
