import type { CallName } from './addresses';
import type { HeaderName } from './call-documents';
import type { JsonSchema } from './document-schemas';

/** The part of OpenAPI 3.1 that our document uses; its page reads it by these types. */
export interface ParameterDocument {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description?: string;
  readonly schema: JsonSchema;
}

export interface AnswerDocument {
  readonly description: string;
  readonly headers?: Readonly<Record<string, { readonly $ref: string }>>;
  readonly content?: Readonly<Record<string, { readonly schema: JsonSchema; readonly examples?: object }>>;
}

export interface OperationDocument {
  readonly operationId: CallName;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly security?: readonly object[];
  readonly parameters: readonly ParameterDocument[];
  readonly requestBody?: {
    readonly required: true;
    readonly content: Readonly<Record<string, { readonly schema: JsonSchema; readonly example: object }>>;
  };
  readonly responses: Readonly<Record<string, AnswerDocument>>;
}

export interface ApiDocument {
  readonly openapi: '3.1.0';
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly security: readonly object[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationDocument>>>>;
  readonly components: {
    readonly securitySchemes: object;
    readonly headers: Readonly<Record<HeaderName, object>>;
    readonly schemas: Readonly<Record<string, JsonSchema>>;
  };
}
