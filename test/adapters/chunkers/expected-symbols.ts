/** What the chunker must find in the fixtures: line, kind and qualified name of every symbol, checked by eye. */

export interface LanguageFixture {
  readonly language: string
  readonly symbols: string
}

export const FIXTURES: Readonly<Record<string, LanguageFixture>> = {
  'session.ts': {
    language: 'typescript',
    symbols: `
      7 constant SESSION_COOKIE
      8 constant LIFETIME_MS
      8 constant SWEEP_MS
      10 type UserId
      13 interface Session
      17 method Session.refresh
      20 enum Role
      26 function structuredClone
      28 function parseCookies
      39 class Store
      42 method Store.expired
      45 method Store.get
      54 method Store.put
      58 method Store.size
      64 class SessionStore
      67 method SessionStore.constructor
      71 method SessionStore.shared
      76 method SessionStore.expired
      81 method SessionStore.open
      96 function sessionOf
      101 namespace Clock
      102 constant Clock.offset
      103 function Clock.now
      106 namespace Clock.Testing
      107 function Clock.Testing.freeze
      113 constant handlers
      114 method handlers.login
      115 method handlers.logout
      121 function injectable
      126 method label
      132 interface Window
      137 constant guards
      138 method guards.admin
      139 method guards.guest
      144 constant useSessions
      146 method useSessions.actions.clear
      152 function endSession`,
  },
  'panel.tsx': {
    language: 'tsx',
    symbols: `
      3 interface PanelProps
      10 type Density
      12 constant DENSITIES
      15 function Panel
      31 function Badge
      35 function useDebounced
      44 constant SearchBox
      51 class Boundary
      54 method Boundary.getDerivedStateFromError
      58 method Boundary.render
      64 function DensitySwitch`,
  },
  'queue.js': {
    language: 'javascript',
    symbols: `
      5 constant DEFAULT_CAPACITY
      11 function Heap
      16 method Heap.push
      27 method Heap.pop
      37 function sink
      49 class TaskQueue
      52 method TaskQueue.onIdle
      55 method TaskQueue.add
      61 method TaskQueue.size
      65 method TaskQueue.of
      71 method TaskQueue.drain
      77 function delay
      79 function retry
      90 function throttle
      100 function counter
      105 method once`,
  },
  'response.js': {
    language: 'javascript',
    symbols: `
      9 constant res
      15 method res.set
      16 method res.header
      24 method res.get
      24 method res.field
      27 class res.Cookie
      27 class Biscuit
      28 method res.Cookie.toString
      33 method res.send
      33 function sendBody
      39 function createResponse
      43 class Writer
      43 class Pen
      44 method Writer.write
      47 function pipe
      47 function pipeAll
      52 method Stream.drainAll
      53 method Stream.pause
      58 method res.fresh
      65 method res.protocol
      69 method res.secure
      71 function serveFiles
      75 function Panel
      79 constant Badge
      79 function BadgeWithReference
      83 constant Model
      84 method Model.initialize
      85 method Model.save
      85 function saveModel`,
  },
  'inventory.py': {
    language: 'python',
    symbols: `
      12 constant log
      13 constant MAX_SHELVES
      14 constant T
      17 class OutOfStock
      21 function logged
      36 class Item
      43 method Item.label
      47 method Item.parse
      52 class Warehouse
      57 class Warehouse.Shelf
      58 method Warehouse.Shelf.__init__
      62 method Warehouse.Shelf.count
      65 method Warehouse.__init__
      68 method Warehouse.__len__
      72 method Warehouse.put
      78 method Warehouse.take
      85 method Warehouse.audit
      94 function read_items
      100 function main`,
  },
  'cache.go': {
    language: 'go',
    symbols: `
      13 variable ErrMissing
      16 constant DefaultSize
      17 constant minimumTTL
      21 variable now
      22 variable buckets
      25 type Key
      28 interface Loader
      29 method Loader.Load
      30 method Loader.Close
      33 type LoaderFunc
      35 method LoaderFunc.Load
      37 method LoaderFunc.Close
      39 struct entry
      46 struct LRU
      53 function New
      61 method LRU.Get
      79 method LRU.Put
      94 struct Stats
      97 type Observer
      100 method Stats.Ratio
      107 function init`,
  },
  'matrix.rs': {
    language: 'rust',
    symbols: `
      6 constant MAX_SIDE
      7 constant ORIGIN
      10 type Result
      13 struct Matrix
      20 enum ShapeError
      25 trait Norm
      27 constant Norm.NAME
      29 method Norm.norm
      31 method Norm.is_unit
      39 macro matrix
      47 method Matrix.new
      55 method Matrix.from_rows
      61 method Matrix.at
      67 type Matrix.Output
      69 method Matrix.add
      79 type Matrix.Output
      80 constant Matrix.NAME
      82 method Matrix.norm
      88 method ShapeError.fmt
      96 module transform
      99 function transform.transpose
      104 union transform.Bits
      111 module tests
      115 function tests.adds_cell_by_cell`,
  },
  'Ledger.java': {
    language: 'java',
    symbols: `
      9 class Ledger
      10 constant Ledger.SCALE
      17 constructor Ledger.Ledger
      21 constructor Ledger.Ledger
      26 method Ledger.transfer
      35 method Ledger.balance
      43 method Ledger.close
      48 record Ledger.Entry
      49 constructor Ledger.Entry.Entry
      53 method Ledger.Entry.credit
      58 enum Ledger.Kind
      69 constructor Ledger.Kind.Kind
      73 method Ledger.Kind.code
      78 class Ledger.LedgerException
      79 constructor Ledger.LedgerException.LedgerException
      85 interface Account
      86 method Account.number
      88 method Account.isInternal
      93 annotation Audited
      94 method Audited.by`,
  },
  'Robot.kt': {
    language: 'kotlin',
    symbols: `
      5 constant GRID
      6 property names
      8 type Step
      11 enum Heading
      17 method Heading.right
      20 class Position
      21 method Position.plus
      23 property Position.distance
      27 interface Command
      28 object Command.Turn
      29 class Command.Move
      32 interface Observer
      33 method Observer.moved
      34 method Observer.failed
      39 class Robot
      40 property Robot.position
      42 property Robot.heading
      43 property Robot.observers
      49 constructor Robot.constructor
      51 method Robot.watch
      56 method Robot.obey
      65 method Robot.walk
      75 object Robot.Companion
      76 constant Robot.Companion.LIMIT
      78 method Robot.Companion.create
      82 object Fleet
      83 property Fleet.robots
      86 method Fleet.robot
      89 method Robot.describe
      91 method List.only
      93 function main`,
  },
  'ring.c': {
    language: 'c',
    symbols: `
      8 macro RING_MINIMUM
      9 macro RING_MASK
      12 macro ring_log
      14 macro ring_log
      17 type byte
      18 type ring_visitor
      20 enum ring_error
      26 struct ring
      33 struct ring_stats
      36 type ring_stats_t
      41 type option
      43 union ring_word
      48 variable totals
      49 variable ring_version
      51 function ring_peek
      54 function round_up
      60 function ring_new
      74 function ring_free
      81 function ring_write
      96 function compare
      100 function ring_comparator
      105 function ring_visit`,
  },
  'shapes.cpp': {
    language: 'cpp',
    symbols: `
      7 macro SHAPES_EPSILON
      9 namespace geometry
      11 type geometry.Real
      12 variable geometry.kTau
      14 enum geometry.Colour
      16 struct geometry.Point
      20 method geometry.Point.operator+
      21 method geometry.Point.operator==
      25 class geometry.Shape
      27 method geometry.Shape.Shape
      28 method geometry.Shape.~Shape
      30 method geometry.Shape.area
      31 method geometry.Shape.name
      33 method geometry.Shape.colour
      39 class geometry.Circle
      41 method geometry.Circle.Circle
      42 method geometry.Circle.area
      43 method geometry.Circle.mutable_radius
      44 method geometry.Circle.unit
      46 struct geometry.Circle.Arc
      48 method geometry.Circle.Arc.length
      57 function geometry.make_shape
      62 class geometry.Grid
      64 method geometry.Grid.at
      71 namespace geometry.detail
      72 function geometry.detail.near
      79 method Circle.Circle
      81 method Circle.area
      85 method Circle.mutable_radius
      87 method Circle.unit
      92 function operator<<
      96 namespace geometry.sums
      97 function geometry.sums.total
      104 function shapes_version
      106 function main`,
  },
  'Orders.cs': {
    language: 'csharp',
    symbols: `
      6 namespace Example.Orders
      8 delegate Example.Orders.OrderPlaced
      10 enum Example.Orders.OrderState
      18 interface Example.Orders.IOrderRepository
      20 method Example.Orders.IOrderRepository.FindAsync
      21 property Example.Orders.IOrderRepository.Count
      24 record Example.Orders.Line
      26 property Example.Orders.Line.Total
      29 struct Example.Orders.Money
      31 constructor Example.Orders.Money.Money
      33 property Example.Orders.Money.Amount
      38 class Example.Orders.Order
      40 constant Example.Orders.Order.MaxLines
      43 event Example.Orders.Order.Placed
      45 constructor Example.Orders.Order.Order
      50 property Example.Orders.Order.Id
      52 property Example.Orders.Order.State
      58 method Example.Orders.Order.Add
      71 method Example.Orders.Order.Sum
      76 method Example.Orders.Order.PlaceAsync
      84 class Example.Orders.Order.Comparer
      86 method Example.Orders.Order.Comparer.Compare
      90 class Example.Orders.OrderExtensions
      92 method Example.Orders.OrderExtensions.Open`,
  },
  'garden.rb': {
    language: 'ruby',
    symbols: `
      7 module Garden
      8 constant Garden.VERSION
      10 class Garden.Error
      13 class Garden.Plant
      20 method Garden.Plant.sow
      25 method Garden.Plant.registry
      30 method Garden.Plant.initialize
      36 method Garden.Plant.<=>
      40 method Garden.Plant.water!
      46 method Garden.Plant.thirsty?
      52 method Garden.Plant.growth
      57 class Garden.Tree
      58 method Garden.Tree.growth
      60 method Garden.Tree.rings
      67 module Garden.Tools
      68 constant Garden.Tools.Spade
      69 method Garden.Tools.Spade.dig
      76 method Garden.Tools.rake
      82 class Garden.Bed
      85 method Garden.Bed.initialize
      89 method Garden.Bed.each
      95 method Garden.Bed.tallest
      99 method Garden.Bed.highest
      100 method Garden.Bed.walk
      103 method plant_all`,
  },
  'Mailer.php': {
    language: 'php',
    symbols: `
      10 constant MAX_RECIPIENTS
      11 constant MAILER_AGENT
      16 interface Transport
      18 constant Transport.PORT
      20 method Transport.send
      23 enum Priority
      28 method Priority.label
      34 trait Logs
      38 method Logs.log
      44 class Message
      49 method Message.__construct
      56 method Message.fromArray
      61 method Message.to
      75 class Mailer
      79 constant Mailer.RETRIES
      83 method Mailer.transport
      86 method Mailer.deliver
      101 function quote
      113 function shout
      115 constant MAILER_ROOT
      118 function mail_to`,
  },
  'Player.swift': {
    language: 'swift',
    symbols: `
      4 enum Note
      7 property Note.frequency
      11 method Note.sharp
      16 type Callback
      18 enum PlayerError
      23 protocol Instrument
      24 type Instrument.Sound
      25 property Instrument.name
      26 method Instrument.play
      29 struct Beat
      30 property Beat.note
      31 property Beat.length
      33 constructor Beat.init
      41 method Beat.stretch
      47 class Player
      48 property Player.shared
      49 property Player.instrument
      50 property Player.beats
      51 property Player.isPlaying
      53 constructor Player.init
      62 method Player.add
      66 method Player.start
      80 class Player.Loop
      81 property Player.Loop.times
      83 method Player.Loop.twice
      89 extension Beat
      90 property Beat.description
      94 method Beat.reversed
      99 extension Array
      100 property Array.total
      105 function hum
      109 property scale`,
  },
  'Bakery.scala': {
    language: 'scala',
    symbols: `
      7 trait Weighed
      8 method Weighed.weight
      10 method Weighed.heavierThan
      13 class Bread
      16 property Bread.rest
      18 method Bread.bake
      24 class Loaf
      26 object Rye
      27 property Rye.weight
      30 object Bread
      31 property Bread.Default
      32 property Bread.sold
      34 property Bread.ordering
      36 method Bread.apply
      41 class Bread.Sliced
      42 method Bread.Sliced.slices
      46 class Oven
      47 property Oven.shelf
      49 method Oven.this
      52 method Oven.load
      58 method Oven.unload
      64 property Oven.heat
      69 object Oven.Timer
      70 method Oven.Timer.ring
      74 trait Seller
      75 method Seller.sell
      78 object Main
      79 property Main.oven`,
  },
  'backup.sh': {
    language: 'bash',
    symbols: `
      5 variable KEEP
      6 variable TARGET
      7 variable LC_ALL
      8 variable verbose
      10 function usage
      18 function log
      24 function next_number
      30 function copy_tree
      39 function forget_old
      50 function __private_check
      54 function main`,
  },
  'scanner.lua': {
    language: 'lua',
    symbols: `
      2 constant M
      6 constant VERSION
      8 constant patterns
      15 constant Scanner
      21 method Scanner.new
      25 method Scanner.skip
      33 method Scanner.next
      51 function describe
      55 function trim
      59 method M.all
      72 method M.show
      78 constant M.signs
      80 method M.signs.open
      85 function reset_all`,
  },
  'counter.ex': {
    language: 'elixir',
    symbols: `
      1 module Example.Counter
      15 module Example.Counter.Overflow
      18 function Example.Counter.Overflow.exception
      21 macro Example.Counter.is_step
      25 function Example.Counter.start_link
      30 function Example.Counter.increment
      35 function Example.Counter.init
      40 function Example.Counter.handle_call
      51 function Example.Counter.bump
      60 macro Example.Counter.count
      67 function Example.Counter.forget
      70 protocol Example.Countable
      72 method Example.Countable.size
      75 implementation Example.Countable
      76 method Example.Countable.size
      79 module Example.CounterTest`,
  },
  'Lexer.hs': {
    language: 'haskell',
    symbols: `
      5 module Lexer
      17 data Token
      24 data Parser
      26 type Position
      28 data LexError
      33 class Pretty
      34 method Pretty.pretty
      37 method Pretty.prettyList
      40 instance Pretty Token
      41 method Pretty Token.pretty
      47 instance Functor Parser
      48 method Functor Parser.fmap
      52 type Elem
      54 function <+>
      58 function tokenize
      71 function signs
      79 function isOpen
      79 function isClose
      85 function depth
      90 function main`,
  },
  'arena.zig': {
    language: 'zig',
    symbols: `
      3 constant Allocator
      5 constant default_size
      6 constant total_arenas
      8 type Error
      14 enum Policy
      18 method Policy.name
      23 struct Arena
      29 constant Arena.Self
      30 constant Arena.alignment
      32 method Arena.init
      41 method Arena.deinit
      47 method Arena.take
      59 struct Arena.Mark
      62 method Arena.Mark.restore
      68 union Value
      72 method Value.isText
      77 function List
      81 method List.first
      87 function count
      91 function arena_count
      95 test hands out what fits`,
  },
  'guide.md': {
    language: 'markdown',
    symbols: `
      8 heading Quarry guide
      12 heading Quarry guide.Install
      24 heading Quarry guide.Install.From source
      30 heading Setext title
      35 heading Setext title.Second level
      52 heading Setext title.quarry search options
      62 heading Setext title.FAQ`,
  },
}
