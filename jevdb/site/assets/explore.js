// The warehouse in the reader's browser. Nothing is loaded before it is asked for, and
// nothing leaves this machine: the engine and the data lie beside the page.
"use strict";

(() => {
  const $ = (id) => document.getElementById(id);
  const facts = JSON.parse($("explore-data").textContent);
  const say = (words, isError) => {
    $("status").textContent = words;
    $("status").className = isError ? "notice" : "facts";
  };
  const make = (name, attributes, ...children) => {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) made.setAttribute(key, value);
    made.append(...children);
    return made;
  };
  const svg = (name, attributes) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
  };
  const quoted = (text) => `'${String(text).replaceAll("'", "''")}'`;

  // ---- the state is the address
  let state = new URLSearchParams(location.hash.slice(1));
  const store = (changes, isStep = true) => {
    for (const [key, value] of Object.entries(changes)) {
      if (value === null || value === "") state.delete(key);
      else state.set(key, value);
    }
    const hash = `#${state}`;
    if (isStep) history.pushState(null, "", hash);
    else history.replaceState(null, "", hash);
  };

  // ---- the engine
  let connection = null;
  let loading = null;
  const script = (path) =>
    new Promise((resolve, reject) => {
      const found = make("script", { src: path });
      found.onload = resolve;
      found.onerror = () => reject(new Error(`${path} is missing beside this page`));
      document.head.append(found);
    });
  const unpacked = async (text) => {
    const bytes = Uint8Array.from(atob(text), (each) => each.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Response(stream).arrayBuffer();
  };
  // The worker asks for its module once; it gets the bytes that are here already.
  const SHIM = `{
    let give;
    const module = new Promise((resolve) => { give = resolve; });
    self.addEventListener("message", function first(event) {
      if (!event.data || !event.data.jevdbModule) return;
      event.stopImmediatePropagation();
      self.removeEventListener("message", first);
      give(event.data.jevdbModule);
    });
    self.fetch = async () =>
      new Response(await module, { headers: { "Content-Type": "application/wasm" } });
  }\n`;
  const inWords = (error) => {
    const text = String((error && error.message) || error);
    if (/WebAssembly|wasm-unsafe-eval|Content Security|blocked/i.test(text) && /policy|unsafe/i.test(text)) {
      return "This browser or server forbids WebAssembly by policy; the pages work without.";
    }
    if (/out of memory|memory access|allocation/i.test(text)) {
      return "There is not enough memory for the warehouse in this browser; download it instead.";
    }
    if (/newer version|storage version|version number/i.test(text)) {
      return "The data were written by a newer DuckDB than the engine of this page; build the site anew.";
    }
    return text;
  };
  const load = () => {
    loading = loading || (async () => {
      if (typeof WebAssembly !== "object" || typeof DecompressionStream !== "function") {
        throw new Error("This browser has no WebAssembly; the pages work without, and the commands on them.");
      }
      const started = performance.now();
      say("Loading the engine (10 MB, from beside this page) ...");
      await Promise.all(["duckdb.js", "engine.js", "data.js"].map((name) => script(`explore/${name}`)));
      say("Starting ...");
      const [wasm, worker, data] = await Promise.all([
        unpacked(window.jevdbEngine.wasm), unpacked(window.jevdbEngine.worker), unpacked(window.jevdbData),
      ]);
      const source = new Blob([SHIM, worker], { type: "text/javascript" });
      const running = new Worker(URL.createObjectURL(source));
      running.postMessage({ jevdbModule: wasm }, [wasm]);
      const { AsyncDuckDB, VoidLogger } = window.jevdbDuckdb;
      const db = new AsyncDuckDB(new VoidLogger(), running);
      const broken = new Promise((_, reject) => {
        running.addEventListener("error", (event) => reject(new Error(event.message)));
      });
      // An address that is one, and is never asked: the shim has the bytes.
      await Promise.race([db.instantiate("data:application/wasm,", null), broken]);
      await db.registerFileBuffer("public.duckdb", new Uint8Array(data));
      await db.open({ path: "public.duckdb", accessMode: 2, query: { castBigIntToDouble: true } });
      connection = await db.connect();
      await connection.query("set autoinstall_known_extensions = false");
      await connection.query("set autoload_known_extensions = false");
      say(`Ready after ${((performance.now() - started) / 1000).toFixed(1)} s. Nothing leaves this machine.`);
      $("sql-box").hidden = false;
      catalog();
      document.documentElement.dataset.engine = "ready";
      return connection;
    })().catch((error) => {
      loading = null;
      say(inWords(error), true);
      document.documentElement.dataset.engine = "failed";
      throw error;
    });
    return loading;
  };
  const rows = async (sql) => (await (await load()).query(sql)).toArray().map((row) => row.toJSON());

  // ---- check a number
  const numberSql = (place) => {
    const ids = facts.queries[`${place.benchmark}|${place.cohort}`]?.[place.number];
    if (ids === undefined) throw new Error(`there is no such number: ${place.number}`);
    return ids.map((id) => facts.blocks[id]).join("\n),\n\n")
      .replaceAll("'{RUN}'", quoted(place.run)).replaceAll("{RUN}", place.run)
      .replaceAll("'{METHOD}'", quoted(place.method)).replaceAll("{METHOD}", place.method)
      .replaceAll("'{ROW}'", quoted(place.row)).replaceAll("{ROW}", place.row.replace(/\s+/g, " "));
  };
  const check = async () => {
    const names = state.get("check").split(",");
    const list = $("checked");
    $("check").hidden = false;
    list.replaceChildren();
    await load();
    for (const number of names) {
      const run = facts.runs.find(({ id }) => id.startsWith(state.get("run") || "?"));
      if (run === undefined) throw new Error("there is no such run in this copy");
      const place = {
        number, run: run.id, benchmark: run.benchmark, row: state.get("row"),
        cohort: state.get("cohort") || "own", method: state.get("method") || facts.methods[0],
      };
      const item = make("li", { "data-number": number });
      list.append(item);
      const started = performance.now();
      const sql = numberSql(place);
      const [found] = await rows(sql);
      const value = found === undefined ? null : found.value;
      const seconds = ((performance.now() - started) / 1000).toFixed(2);
      const wanted = state.get(`value.${number}`) || state.get("value");
      const isSame = wanted === null || wanted === undefined ? null
        : wanted === "N/A" ? value === null : Number(wanted) === value;
      item.dataset.same = String(isSame);
      item.append(
        make("strong", {}, isSame === null ? "computed" : isSame ? "same digits" : "OTHER DIGITS"),
        ` ${number} of ${run.name}, ${place.row}: `,
        make("code", {}, value === null ? "N/A" : String(value)),
        ` in ${seconds} s. `,
      );
      const open = make("button", { type: "button" }, "Open its SQL");
      open.addEventListener("click", () => {
        $("sql").value = sql;
        $("sql").focus();
      });
      item.append(open);
    }
    document.documentElement.dataset.checked = "yes";
  };

  // ---- linked views of the answers of a run
  const chosenRun = () => facts.runs.find(({ id }) => id === $("run").value) || facts.runs[0];
  let prepared = null;
  const prepare = () => {
    prepared = prepared || rows(`
      create or replace temp table answers as
      select run_id, benchmark_id, item_id, type, coalesce(tier, '') as tier,
        coalesce(family, '') as family, status, is_right, confidence,
        coalesce(array_to_string(answer_labels, ' + '), top_label) as answer,
        coalesce(array_to_string(gold_labels, ' + '), options[gold_index + 1]) as gold,
        case when confidence is not null
          then least(floor(confidence * 10), 9) end as bin
      from scored`);
    return prepared;
  };
  const FILTERS = ["type", "tier", "family", "right"];
  const where = (but) => {
    const parts = [`run_id = ${quoted(chosenRun().id)}`];
    for (const key of FILTERS) {
      const value = state.get(key);
      if (value === null || key === but) continue;
      parts.push(key === "right" ? `is_right = ${value === "right"}` : `${key} = ${quoted(value)}`);
    }
    const brush = state.get("bins");
    if (brush !== null && but !== "bins") {
      const [low, high] = brush.split("-").map(Number);
      parts.push(`bin between ${low} and ${high}`);
    }
    return parts.join(" and ");
  };
  const bars = (host, key, found) => {
    host.replaceChildren(...found.filter(({ name }) => name !== "").map(({ name, n, n_right }) => {
      const isOn = state.get(key) === name;
      const button = make("button", { type: "button", "aria-pressed": String(isOn), "data-value": name }, name);
      button.addEventListener("click", () => {
        store({ [key]: isOn ? null : name });
        draw();
      });
      const drawn = svg("svg", { class: "bar", width: 120, height: 10, "aria-hidden": "true" });
      drawn.append(svg("path", { d: `M0,5H${(120 * n_right) / Math.max(n, 1)}` }));
      return make("tr", {}, make("th", { scope: "row" }, button), make("td", {}, `${n_right} of ${n}`), make("td", {}, drawn));
    }));
  };
  const reliability = (found) => {
    const host = $("reliability");
    const most = Math.max(...found.map(({ n }) => n), 1);
    const brush = state.get("bins");
    const [low, high] = brush === null ? [-1, -1] : brush.split("-").map(Number);
    host.replaceChildren(svg("path", { class: "ideal", d: "M0,200L300,0" }));
    let began = null;
    for (let bin = 0; bin < 10; bin += 1) {
      const { n = 0, n_right = 0, stated = null } = found.find((each) => each.bin === bin) || {};
      const group = svg("g", { tabindex: "0", role: "button", "data-bin": bin,
        "aria-pressed": String(bin >= low && bin <= high),
        "aria-label": `stated ${bin / 10} to ${(bin + 1) / 10}: ${n_right} of ${n} right` });
      group.append(svg("rect", { class: "hit", x: 30 * bin, y: 0, width: 30, height: 270 }));
      group.append(svg("rect", { class: "all", x: 30 * bin + 2, y: 270 - (60 * n) / most, width: 26, height: (60 * n) / most }));
      group.append(svg("rect", { class: "true", x: 30 * bin + 2, y: 270 - (60 * n_right) / most, width: 26, height: (60 * n_right) / most }));
      if (n > 0) {
        group.append(svg("circle", { class: n < 10 ? "pale" : "", cx: 300 * stated, cy: 200 - (200 * n_right) / n, r: 4 }));
      }
      const choose = (first, last) => {
        const wanted = `${Math.min(first, last)}-${Math.max(first, last)}`;
        store({ bins: wanted === state.get("bins") ? null : wanted });
        draw();
      };
      group.addEventListener("pointerdown", () => { began = bin; });
      group.addEventListener("pointerup", () => {
        choose(began === null ? bin : began, bin);
        began = null;
      });
      group.addEventListener("keydown", (event) => {
        if (event.key === "Enter" || event.key === " ") {
          event.preventDefault();
          choose(bin, bin);
        }
      });
      host.append(group);
    }
  };
  const itemLink = (benchmark, item) => {
    const anchors = facts.items[benchmark];
    const place = anchors.ids.indexOf(item);
    return place < 0 ? item
      : make("a", { href: `${anchors.folder}/items-${Math.floor(place / anchors.chunk)}.html#${anchors.slugs[place] || item}` }, item);
  };
  const table = (host, columns, found, cells) => {
    host.replaceChildren(
      make("thead", {}, make("tr", {}, ...columns.map((name) => make("th", { scope: "col" }, name)))),
      make("tbody", {}, ...found.map((row) => make("tr", {}, ...cells(row).map((cell) => make("td", {}, cell ?? ""))))),
    );
  };
  let drawing = 0;
  const draw = async () => {
    const mine = ++drawing;
    await prepare();
    const counted = (key) => rows(
      `select ${key} as name, count(*) as n, cast(count_if(is_right) as integer) as n_right from answers where ${where(key)} group by all order by all`);
    const [bins, types, tiers, families, rights, items, [total]] = [
      await rows(`select bin, count(*) as n, cast(count_if(is_right) as integer) as n_right, avg(confidence) as stated
        from answers where bin is not null and ${where("bins")} group by all order by all`),
      await counted("type"), await counted("tier"), await counted("family"),
      await rows(`select if(is_right, 'right', 'wrong') as name, count(*) as n, cast(count_if(is_right) as integer) as n_right
        from answers where ${where("right")} group by all order by all`),
      await rows(`select item_id, type, gold, answer, status, is_right, confidence from answers
        where ${where("")} order by item_id limit 200`),
      await rows(`select count(*) as n, cast(count_if(is_right) as integer) as n_right from answers where ${where("")}`),
    ];
    if (mine !== drawing) return;
    reliability(bins);
    bars($("types"), "type", types);
    bars($("tiers"), "tier", tiers);
    bars($("families"), "family", families);
    bars($("rights"), "right", rights);
    $("counted").textContent = `${total.n} rows, ${total.n_right} right${items.length < total.n ? `; the first ${items.length} are shown` : ""}`;
    table($("items"), ["Item", "Type", "Gold", "Answer", "Right", "Confidence"], items, (row) => [
      itemLink(chosenRun().benchmark, row.item_id), row.type, row.gold, row.answer ?? row.status,
      row.is_right ? "right" : "wrong", row.confidence === null ? "" : row.confidence.toFixed(4),
    ]);
    document.documentElement.dataset.drawn = String(mine);
  };

  // ---- any two runs: exact McNemar, Bonett-Price cut to agree with it (INFERENCE.md 1.2)
  const Z = 1.959963984540054;
  const mcnemar = (b, c) => {
    const n = b + c;
    let term = 1;
    let sum = 0;
    const logs = [0];
    for (let i = 1; i <= n; i += 1) logs.push(logs[i - 1] + Math.log(i));
    for (let k = 0; k <= Math.min(b, c); k += 1) {
      term = Math.exp(logs[n] - logs[k] - logs[n - k] - n * Math.LN2);
      sum += term;
    }
    return Math.min(1, 2 * sum);
  };
  const bonettPrice = (b, c, n) => {
    const [one, two] = [(b + 1) / (n + 2), (c + 1) / (n + 2)];
    const middle = two - one;
    const half = Z * Math.sqrt((one + two - middle * middle) / (n + 2));
    let [low, high] = [Math.max(middle - half, -1), Math.min(middle + half, 1)];
    const point = (c - b) / n;
    if (mcnemar(b, c) > 0.05) {
      if (point >= 0 && low > 0) low = 0;
      if (point <= 0 && high < 0) high = 0;
    } else {
      if (point > 0 && low < 0) low = 0;
      if (point < 0 && high > 0) high = 0;
    }
    return [low, high];
  };
  const pair = async () => {
    const [base, other] = [$("base").value, $("other").value];
    await prepare();
    const shared = `from answers as one inner join answers as two using (item_id, benchmark_id)
      where one.run_id = ${quoted(base)} and two.run_id = ${quoted(other)}
        and one.status in ('ok', 'invalid') and two.status in ('ok', 'invalid')`;
    const [{ n, b, c }] = await rows(`select count(*) as n, cast(count_if(one.is_right and not two.is_right) as integer) as b,
      cast(count_if(two.is_right and not one.is_right) as integer) as c ${shared}`);
    if (n === 0) {
      $("pair-words").textContent = "They share no item: one benchmark at a time.";
      table($("pair-items"), [], [], () => []);
      return;
    }
    const p = mcnemar(b, c);
    const [low, high] = bonettPrice(b, c, n);
    const points = (value) => (100 * value).toFixed(1);
    const verdict = p > 0.05 ? "Not resolved" : c > b ? "The second is better" : "The first is better";
    $("pair-words").textContent = `${verdict}: accuracy ${points((c - b) / n)} points (${points(low)} to ${points(high)}), ` +
      `exact p ${p < 0.001 ? "<0.001" : p.toFixed(3)}; of ${n} shared items won ${c}, lost ${b}.`;
    const decided = await rows(`select item_id, one.family as family, two.is_right as won, one.answer as first, two.answer as second, one.benchmark_id
      ${shared} and one.is_right <> two.is_right order by won desc, family, item_id limit 400`);
    table($("pair-items"), ["Item", "Family", "Outcome", "First", "Second"], decided, (row) => [
      itemLink(row.benchmark_id, row.item_id), row.family, row.won ? "won" : "lost", row.first, row.second,
    ]);
    document.documentElement.dataset.paired = `${b}/${c}/${n}`;
  };

  // ---- SQL
  let sent = null;
  const runSql = async () => {
    const sql = $("sql").value;
    store({ sql }, false);
    const started = performance.now();
    const limit = Number($("limit").value);
    $("sql-words").textContent = "Running ...";
    $("stop").disabled = false;
    await load();
    const timer = setTimeout(() => stop("the time limit"), 1000 * limit);
    try {
      sent = connection;
      const reader = await connection.send(sql);
      const batches = [];
      let count = 0;
      let names = [];
      for await (const batch of reader) {
        names = batch.schema.fields.map(({ name }) => name);
        batches.push(...batch.toArray().map((row) => row.toArray ? row.toArray() : Object.values(row.toJSON())));
        count += batch.numRows;
      }
      const shown = (value) => (value === null || value === undefined ? "" : typeof value === "object" ? JSON.stringify(value) : String(value));
      table($("result"), names, batches.slice(0, 500), (row) => [...row].map(shown));
      $("sql-words").textContent = `${count} rows in ${((performance.now() - started) / 1000).toFixed(2)} s${count > 500 ? "; the first 500 are shown" : ""}.`;
      const cell = (value) => (/[",\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);
      const csv = [names, ...batches].map((row) => [...row].map((value) => cell(shown(value))).join(",")).join("\n");
      $("csv").href = URL.createObjectURL(new Blob([csv], { type: "text/csv" }));
      $("csv").hidden = false;
    } catch (error) {
      $("sql-words").textContent = inWords(error);
    } finally {
      clearTimeout(timer);
      sent = null;
      $("stop").disabled = true;
      document.documentElement.dataset.sql = "done";
    }
  };
  const stop = async (why) => {
    if (sent === null) return;
    await sent.cancelSent();
    $("sql-words").textContent = `Stopped by ${why}.`;
  };
  const catalog = () => {
    $("names").replaceChildren(make("option", { value: "" }, "insert a name"), ...facts.names.map((name) => make("option", {}, name)));
  };

  // ---- start
  const option = ({ id, name, benchmark }) => make("option", { value: id }, `${name} (${benchmark})`);
  for (const id of ["run", "base", "other"]) $(id).append(...facts.runs.map(option));
  $("questions").append(make("option", { value: "" }, "a question"), ...facts.questions.map(([words, sql]) => make("option", { value: sql }, words)));
  const restore = () => {
    const pick = (id, fallback) => {
      const found = facts.runs.find((run) => run.id.startsWith(state.get(id) || "?"));
      $(id).value = found ? found.id : fallback.id;
    };
    if (facts.runs.length) {
      pick("run", facts.runs[0]);
      pick("base", facts.runs[0]);
      pick("other", facts.runs[Math.min(1, facts.runs.length - 1)]);
    }
    if (state.has("sql")) $("sql").value = state.get("sql");
  };
  const guarded = (action) => () => action().catch((error) => say(inWords(error), true));
  const explore = guarded(async () => {
    await load();
    $("views").hidden = false;
    store({ view: "on" }, false);
    await draw();
  });
  $("load").addEventListener("click", explore);
  $("run").addEventListener("change", () => {
    store({ run: $("run").value.slice(0, 12) });
    guarded(draw)();
  });
  $("clear").addEventListener("click", () => {
    store({ type: null, tier: null, family: null, right: null, bins: null });
    guarded(draw)();
  });
  $("compare").addEventListener("click", () => {
    store({ base: $("base").value.slice(0, 12), other: $("other").value.slice(0, 12) });
    guarded(pair)();
  });
  $("run-sql").addEventListener("click", guarded(runSql));
  $("stop").addEventListener("click", () => stop("you"));
  $("questions").addEventListener("change", () => { if ($("questions").value) $("sql").value = $("questions").value; });
  $("names").addEventListener("change", () => { $("sql").setRangeText($("names").value); $("names").value = ""; $("sql").focus(); });
  const follow = () => {
    state = new URLSearchParams(location.hash.slice(1));
    restore();
    if (state.has("check")) guarded(check)();
    if (state.get("view") === "on") explore();
  };
  window.addEventListener("popstate", follow);
  follow();
  document.documentElement.dataset.ready = "yes";
})();
