// The product's server actions as their sources have them, and whether each hands its input to `pageAct` and does nothing else.
import ts from 'typescript';

const PAGE_ACT = '@/lib/review/page-act';
const WAYS = ['pageAct', 'settlePageAct'];

export interface ServerAction {
  readonly name: string;
  /** All that it does is to return what `pageAct` or `settlePageAct` makes of its input. */
  readonly throughPageAct: boolean;
}

type FunctionNode = ts.FunctionDeclaration | ts.FunctionExpression | ts.ArrowFunction | ts.MethodDeclaration;

const isFunction = (node: ts.Node): node is FunctionNode =>
  ts.isFunctionDeclaration(node) ||
  ts.isFunctionExpression(node) ||
  ts.isArrowFunction(node) ||
  ts.isMethodDeclaration(node);

const isDirected = (statements: readonly ts.Statement[]) =>
  statements.some(
    (each) =>
      ts.isExpressionStatement(each) &&
      ts.isStringLiteral(each.expression) &&
      each.expression.text === 'use server',
  );

const isExported = (node: ts.Node) =>
  ts.canHaveModifiers(node) &&
  (ts.getModifiers(node) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);

const isTypeAlone = (node: ts.Node) =>
  ts.isInterfaceDeclaration(node) ||
  ts.isTypeAliasDeclaration(node) ||
  (ts.isExportDeclaration(node) && node.isTypeOnly);

/** Which of the two ways a module imports under their own names. */
function importedWays(source: ts.SourceFile): string[] {
  return source.statements.flatMap((node) => {
    if (!ts.isImportDeclaration(node) || !ts.isStringLiteral(node.moduleSpecifier)) return [];
    const named = node.importClause?.namedBindings;
    if (node.moduleSpecifier.text !== PAGE_ACT || named === undefined || !ts.isNamedImports(named)) return [];
    return named.elements
      .filter(({ name, propertyName }) => propertyName === undefined && WAYS.includes(name.text))
      .map(({ name }) => name.text);
  });
}

/** `return pageAct(command, input)`, and nothing before it: what stands before it would not ask who acts. */
function goesThrough({ body, parameters }: FunctionNode, ways: readonly string[]): boolean {
  if (body === undefined || !ts.isBlock(body)) return false;
  const statements = body.statements.filter((each) => !isDirected([each]));
  const only = statements.length === 1 ? statements[0] : undefined;
  const call = only !== undefined && ts.isReturnStatement(only) ? only.expression : undefined;
  if (call === undefined || !ts.isCallExpression(call) || !ts.isIdentifier(call.expression)) return false;
  const given = call.arguments.at(-1);
  return (
    ways.includes(call.expression.text) &&
    given !== undefined &&
    ts.isIdentifier(given) &&
    parameters.some(({ name }) => ts.isIdentifier(name) && name.text === given.text)
  );
}

/** Every server action of a module: what one with the directive exports, and each function that carries the directive itself. */
export function serverActionsOf(text: string): ServerAction[] {
  const source = ts.createSourceFile('module.tsx', text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const ways = importedWays(source);
  const judged = (node: ts.Node, name: string): ServerAction => ({
    name,
    throughPageAct: isFunction(node) && goesThrough(node, ways),
  });
  if (isDirected(source.statements))
    return source.statements
      .filter((node) => isExported(node) || ts.isExportDeclaration(node) || ts.isExportAssignment(node))
      .filter((node) => !isTypeAlone(node))
      .map((node) => judged(node, (ts.isFunctionDeclaration(node) && node.name?.text) || node.getText()));
  const inline: ServerAction[] = [];
  const walk = (node: ts.Node): void => {
    if (isFunction(node) && node.body !== undefined && ts.isBlock(node.body))
      if (isDirected(node.body.statements)) inline.push(judged(node, node.name?.getText() ?? 'inline'));
    ts.forEachChild(node, walk);
  };
  walk(source);
  return inline;
}
