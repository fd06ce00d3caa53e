import 'server-only';

/** The few calls that next-auth makes on a Node response, kept and turned into a web response. */
export class AuthResponse {
  private code = 200;
  private content: BodyInit | null = null;
  private address: string | null = null;
  private readonly kept = new Map<string, string | string[]>();

  status(code: number): this {
    this.code = code;
    return this;
  }

  getHeader(name: string): string | string[] | undefined {
    return this.kept.get(name.toLowerCase());
  }

  setHeader(name: string, value: string | string[]): this {
    this.kept.set(name.toLowerCase(), value);
    return this;
  }

  json(value: unknown): void {
    this.kept.set('content-type', 'application/json');
    this.content = JSON.stringify(value);
    const { url } = (value ?? {}) as { url?: unknown };
    this.address = typeof url === 'string' ? url : null;
  }

  send(value: unknown): void {
    if (typeof value === 'string') this.content = value;
    else if (value !== undefined && value !== null) this.json(value);
  }

  end(): void {
    this.content = null;
  }

  /** Where it leads; null: it is no answer that leads. */
  destination(): URL | null {
    const location = this.kept.get('location') ?? this.address;
    return typeof location === 'string' && URL.canParse(location) ? new URL(location) : null;
  }

  /** Leads somewhere else than next-auth said; its cookies stay. */
  leadTo(address: string): void {
    if (this.kept.has('location')) this.kept.set('location', address);
    else this.json({ url: address });
  }

  toWeb(): Response {
    const headers = new Headers();
    for (const [name, value] of this.kept) {
      for (const each of Array.isArray(value) ? value : [value]) headers.append(name, each);
    }
    headers.set('cache-control', 'private, no-store');
    return new Response(this.content, { status: this.code, headers });
  }
}
