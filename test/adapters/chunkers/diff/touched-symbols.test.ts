import { describe, expect, it } from 'vitest'
import { diffChunker } from '../../../../dist/adapters/chunkers/diff/index.js'
import { commitOf, hunkText, modified } from './diff-text.js'

const touchedIn = async (
  path: string,
  lines: readonly string[],
  context = '',
  start = 1,
): Promise<string[]> => {
  const [, hunk] = await diffChunker().chunk(commitOf(modified(path, hunkText(lines, context, start))))
  return hunk!.symbols.map(({ kind, qualifiedName, line }) => `${kind} ${qualifiedName} ${line}`)
}

/** Of each language: a path, lines that define something with what they define, and a line inside the last definition. */
const DEFINITIONS: Record<string, { path: string; lines: Record<string, string>; none?: readonly string[] }> =
  {
    python: {
      path: 'a.py',
      lines: {
        'def send(self, request):': 'function send',
        'async def fetch(url: str) -> bytes:': 'function fetch',
        'class Session(Base):': 'class Session',
        'DEFAULT_TIMEOUT: int = 30': 'constant DEFAULT_TIMEOUT',
      },
      none: ['class is what this is', 'default = 3', 'DEBUG == 1'],
    },
    typescript: {
      path: 'a.ts',
      lines: {
        'export default async function* walk<T>(tree: T) {': 'function walk',
        'export abstract class Store<T> extends Base {': 'class Store',
        'export interface Reader {': 'interface Reader',
        'type Name = string': 'type Name',
        'declare namespace Things {': 'namespace Things',
        'export const enum Level {': 'enum Level',
        'export const fuse = (lists: List[], k = 60): List => {': 'function fuse',
        'const rank = async (': 'function rank',
        'private static async load<T>(path: string): Promise<T> {': 'function load',
        'get size(): number {': 'function size',
        '#open() {': 'function open',
      },
      none: [
        'if (x) {',
        'for (const a of b) {',
        "describe('a thing', () => {",
        'items.forEach(item => {',
        'return run(x)',
        'const total = (a + b) * 2',
        'type is a word',
      ],
    },
    javascript: {
      path: 'a.js',
      lines: {
        'function merge(a, b) {': 'function merge',
        'module.exports = function settle(resolve, reject) {': 'function settle',
        'Axios.prototype.request = function (config) {': 'function request',
        'exports.encode = value => value': 'function encode',
        'render: function () {': 'function render',
        'constructor(options) {': 'function constructor',
        'delete(key) {': 'function delete',
      },
      none: ['setTimeout(function () {', 'while (true) {', 'callback(null, value)'],
    },
    go: {
      path: 'a.go',
      lines: {
        'func (h *Handler) ServeHTTP(w http.ResponseWriter) error {': 'method Handler.ServeHTTP',
        'func New[T any](options ...T) *T {': 'function New',
        'type Config struct {': 'struct Config',
        'type Reader interface {': 'interface Reader',
        'type ID string': 'type ID',
        'const limit = 3': 'constant limit',
      },
      none: ['go func() {', 'return f(x)'],
    },
    rust: {
      path: 'a.rs',
      lines: {
        'pub(crate) async unsafe fn spawn<F>(future: F) -> Handle {': 'function spawn',
        'pub struct Searcher {': 'struct Searcher',
        'enum Kind {': 'enum Kind',
        'pub trait Sink {': 'trait Sink',
        "impl<'a, T: Into<String>> fmt::Display for Wrapper<'a, T> {": 'implementation Wrapper',
        'mod tests {': 'module tests',
        'macro_rules! hash {': 'macro hash',
        'pub const LIMIT: usize = 3;': 'constant LIMIT',
        'const fn zero() -> u8 {': 'function zero',
      },
      none: ['let fnord = 3;', 'use std::fmt;'],
    },
    java: {
      path: 'A.java',
      lines: {
        'public final class Range<T> implements Serializable {': 'class Range',
        '@Override public Map<String, List<T>> toMap(final T[] values) throws IOException {':
          'function toMap',
        'protected abstract boolean is(Object other);': 'function is',
        'public Range(final T low) {': 'function Range',
        'interface Visitor {': 'interface Visitor',
        'public record Point(int x, int y) {': 'record Point',
        'private static final long SERIAL = 1L;': 'constant SERIAL',
      },
      none: [
        'return toMap(values);',
        'throw new IllegalStateException(x);',
        '} else if (x) {',
        'synchronized (lock) {',
      ],
    },
    kotlin: {
      path: 'a.kt',
      lines: {
        'public suspend inline fun <T> Flow<T>.collect(crossinline action: (T) -> Unit) {':
          'method Flow.collect',
        'fun `a name with blanks`() {': 'function a name with blanks',
        'internal sealed class Node {': 'class Node',
        'companion object Factory {': 'object Factory',
        'typealias Handler = (Int) -> Unit': 'type Handler',
        'const val LIMIT = 3': 'constant LIMIT',
      },
      none: ['when (x) {', 'val x = fun_(y)'],
    },
    c: {
      path: 'a.c',
      lines: {
        'static int uv__read(uv_stream_t* stream, char *buffer)': 'function uv__read',
        'const char *curl_name(struct handle *h)': 'function curl_name',
        'UV_EXTERN int uv_run(uv_loop_t*, uv_run_mode mode);': 'function uv_run',
        'uv_close (uv_handle_t* handle)': 'function uv_close',
        'struct handle {': 'struct handle',
        'typedef enum level {': 'enum level',
        '#define LIMIT 3': 'macro LIMIT',
        'TEST_IMPL(tcp_close) {': 'function tcp_close',
        'static const struct option options[] = {': 'variable options',
      },
      none: ['return uv_run(loop);', 'if (x) {', '#include <stdio.h>', 'struct handle;'],
    },
    cpp: {
      path: 'a.cpp',
      lines: {
        'namespace detail {': 'namespace detail',
        'class FMT_API buffer : public base {': 'class buffer',
        'std::string Parser::parse(const std::string& text) const {': 'method Parser.parse',
        'Parser::~Parser() {': 'method Parser.~Parser',
        'inline bool operator==(const A& a, const B& b) {': 'function operator==',
        'using json = basic_json<>;': 'type json',
        'TEST_CASE("reads numbers")': 'test reads numbers',
      },
      none: ['public:', '  std::lock_guard<std::mutex> guard(m);'],
    },
    csharp: {
      path: 'a.cs',
      lines: {
        'namespace Dapper.Tests': 'namespace Dapper.Tests',
        'public sealed partial class SqlMapper : IMapper': 'class SqlMapper',
        'public static async Task<IEnumerable<T>> QueryAsync<T>(this IDbConnection connection)':
          'function QueryAsync',
        'void ITypeHandler.SetValue(object value)': 'method ITypeHandler.SetValue',
        'public int Count { get; set; }': 'property Count',
        'public record struct Pair(int A);': 'record Pair',
      },
      none: ['using (var x = y())', 'foreach (var a in b)', 'return Query(x);'],
    },
    ruby: {
      path: 'a.rb',
      lines: {
        'def self.valid?(value)': 'function valid?',
        'private def name=(value)': 'function name=',
        'def <=>(other)': 'function <=>',
        'class Jekyll::Site < Base': 'class Jekyll.Site',
        'module Filters': 'module Filters',
        'LIMIT = 3': 'constant LIMIT',
      },
      none: ['class << self', 'puts define'],
    },
    php: {
      path: 'a.php',
      lines: {
        'namespace Monolog\\Handler;': 'namespace Monolog\\Handler',
        'abstract class StreamHandler extends Base': 'class StreamHandler',
        'public static function &create(array $options): self': 'function create',
        'interface Formatter': 'interface Formatter',
        'trait Pushes': 'trait Pushes',
        'public const LIMIT = 3;': 'constant LIMIT',
      },
      none: ['$f = function ($x) {', 'use Foo;'],
    },
    swift: {
      path: 'a.swift',
      lines: {
        '@discardableResult public func get<T>(_ path: String) -> Route {': 'function get',
        'static func == (lhs: A, rhs: A) -> Bool {': 'function ==',
        'class func shared() -> Self {': 'function shared',
        'public final class Application: Sendable {': 'class Application',
        'extension Request.Body {': 'extension Request.Body',
        'public convenience init?(_ value: Int) {': 'constructor init',
        'protocol Client {': 'protocol Client',
      },
      none: ['guard let x = y else {', 'return classify(x)'],
    },
    scala: {
      path: 'a.scala',
      lines: {
        'implicit final def catsOrder[A: Order]: Order[A] =': 'function catsOrder',
        'def ===(that: A): Boolean =': 'function ===',
        'sealed abstract case class Chain[+A]() {': 'class Chain',
        'private[cats] object Chain extends Instances {': 'object Chain',
        'trait Functor[F[_]] {': 'trait Functor',
        'type Id[A] = A': 'type Id',
      },
      none: ['val defined = 3', 'case Some(x) => x'],
    },
    bash: {
      path: 'a.sh',
      lines: {
        'nvm_has() {': 'function nvm_has',
        'function die {': 'function die',
        'nvm-update ()': 'function nvm-update',
      },
      none: ['if [ -z "$x" ]; then', 'nvm_has "curl"'],
    },
    lua: {
      path: 'a.lua',
      lines: {
        'local function wrap(value)': 'function wrap',
        'function Picker:new(options)': 'method Picker.new',
        'actions.close = function(buffer)': 'method actions.close',
        'local run = function()': 'function run',
      },
      none: ['return function()', 'local x = 3'],
    },
    elixir: {
      path: 'a.ex',
      lines: {
        'defmodule Plug.Conn do': 'module Plug.Conn',
        'def send_resp(%Conn{} = conn, status) do': 'function send_resp',
        'defp valid?(value), do: true': 'function valid?',
        'defmacro plug(name) do': 'macro plug',
        'test "parses 1.2: all of it" do': 'test parses 1.2: all of it',
      },
      none: ['default = 3', 'defined(x)'],
    },
    haskell: {
      path: 'a.hs',
      lines: {
        "decode' :: FromJSON a => ByteString -> Maybe a": "function decode'",
        'parse x = go x': 'function parse',
        'newtype Parser a = Parser { run :: a }': 'type Parser',
        'class (Monad m) => Sink m where': 'class Sink',
        'instance ToJSON a => ToJSON (Maybe a) where': 'instance ToJSON Maybe',
        'module Data.Aeson.Types where': 'module Data.Aeson.Types',
      },
      none: ['import Data.List', '-- a comment'],
    },
    zig: {
      path: 'a.zig',
      lines: {
        'pub inline fn parse(allocator: Allocator) !Tree {': 'function parse',
        'pub const Config = packed struct {': 'struct Config',
        'const Errors = error{Bad};': 'error Errors',
        'test "an empty file" {': 'test an empty file',
      },
      none: ['const x = structure(y);', 'return fn_(x);'],
    },
    markdown: {
      path: 'README.md',
      lines: { '## How it works: v1.2': 'heading How it works: v1.2' },
      none: ['#hashtag', 'class Foo:'],
    },
    dart: { path: 'a.dart', lines: { 'abstract class Widget {': 'class Widget' } },
  }

describe.each(Object.entries(DEFINITIONS))('%s', (_, { path, lines, none }) => {
  it.each(Object.entries(lines))('knows %s', async (line, expected) => {
    expect(await touchedIn(path, [`+${line}`])).toEqual([`${expected} 1`])
    expect(await touchedIn(path, [`-${line}`])).toEqual([`${expected} 1`])
    expect(await touchedIn(path, [`+${line}\r`])).toEqual([`${expected} 1`])
  })

  it.each(Object.entries(lines))('reads it behind the @@: %s', async (line, expected) => {
    expect(await touchedIn(path, ['-    a', '+    b'], line, 7)).toEqual([`${expected} 7`])
  })

  it('takes no other line for a definition', async () => {
    for (const line of none ?? []) expect(await touchedIn(path, [`+${line}`]), line).toEqual([])
    for (const line of none ?? []) expect(await touchedIn(path, [`+    ${line}`]), line).toEqual([])
  })
})

describe('what a change lies in', () => {
  it('is the definition above it, not one beside it', async () => {
    const lines = [
      ' def one():',
      '     return 1',
      ' ',
      ' def two():',
      '-    return 1',
      '+    return 2',
      ' def three():',
    ]
    expect(await touchedIn('a.py', lines, 'def zero():', 10)).toEqual(['function two 13'])
  })

  it('is the innermost one, named with those around it', async () => {
    const lines = [' class Session:', '     def send(self):', '+        log()', '         return 1']
    expect(await touchedIn('a.py', lines)).toEqual(['method Session.send 2'])
    expect(await touchedIn('a.py', ['     def send(self):', '+        log()'], 'class Session:', 5)).toEqual([
      'method Session.send 5',
    ])
  })

  it('is what git shows behind the @@ as long as that goes on', async () => {
    const lines = ['-    return 1', '+    return 2', ' ', '+def two():', '+    return 2']
    expect(await touchedIn('a.py', lines, 'def one():', 3)).toEqual(['function one 3', 'function two 5'])
    expect(
      await touchedIn('a.c', ['   x = 1;', ' }', ' ', '+int two(void) {', '+}'], 'int one(void)', 3),
    ).toEqual(['function two 6'])
  })

  it('goes on below braces, parameters and conditions at the margin', async () => {
    expect(await touchedIn('a.c', [' int run(int a)', ' {', '+  a++;', ' }'])).toEqual(['function run 1'])
    expect(
      await touchedIn('a.rs', [' fn run<T>(a: T)', ' where', '     T: Copy,', ' {', '+    go();', ' }']),
    ).toEqual(['function run 1'])
    expect(await touchedIn('a.py', [' def run(', '     a,', ' ):', '+    return a'])).toEqual([
      'function run 1',
    ])
    expect(await touchedIn('a.c', [' int run(int a) {', ' #ifdef X', '+  a++;', ' #endif', ' }'])).toEqual([
      'function run 1',
    ])
    expect(await touchedIn('a.cpp', [' class A {', ' public:', '+  int x;', ' };'])).toEqual(['class A 1'])
  })

  it('ends with the closing brace', async () => {
    expect(await touchedIn('a.ts', [' function run() {', '   go()', ' }', '+start()'])).toEqual([])
  })

  it('is what follows a changed comment', async () => {
    const lines = [
      ' class A:',
      '     x = 1',
      ' ',
      '+    # Sends it.',
      '     def send(self):',
      '         pass',
    ]
    expect(await touchedIn('a.py', lines)).toEqual(['method A.send 5'])
    expect(await touchedIn('a.ts', ['+// Why.', ' export const a = () => {'])).toEqual(['function a 2'])
    expect(await touchedIn('a.ts', [' function run() {', '+  // Why.', '   go()', ' }'])).toEqual([
      'function run 1',
    ])
  })

  it('is the section of a text, whatever its depth', async () => {
    const lines = [' # Title', ' ', ' ## Use', ' ', '+Words.', ' ', ' ## Limits']
    expect(await touchedIn('README.md', lines)).toEqual(['heading Title.Use 3'])
    expect(await touchedIn('README.md', [' a', '+b'], '## Use', 9)).toEqual(['heading Use 9'])
  })

  it('is named once, by its line in the new file', async () => {
    const lines = ['+import x', ' ', '-def run(a):', '+def run(a, b):', '     return a']
    expect(await touchedIn('a.py', lines)).toEqual(['function run 3'])
  })

  it('is nothing in data and prose', async () => {
    expect(await touchedIn('a.yaml', ['+class Foo:'], 'jobs:')).toEqual([])
    expect(await touchedIn('a.txt', ['+def foo():'], 'def bar():')).toEqual([])
  })
})

it('knows scripts without a suffix by their first line', async () => {
  const lines = [' #!/usr/bin/env python3', '+def run():']
  expect(await touchedIn('bin/tool', lines)).toEqual(['function run 2'])
})
