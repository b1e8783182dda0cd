// The long tables: rows of a run, items of a benchmark. They come as data, are filtered
// and sorted as numbers, and drawn a page at a time. Without this script the first
// hundred stand there as a plain table.
"use strict";

(() => {
  const PAGE = 150;
  const SCALE = 1e5;
  const items = window.jevdbItems;
  const table = document.querySelector("table.data");
  if (items === undefined || table === null) return;
  const source = document.getElementById("rows-data");
  const run = source === null ? null : JSON.parse(source.textContent);
  const folder = document
    .querySelector('script[src$="items.js"]')
    .getAttribute("src")
    .replace(/items\.js$/, "");
  const collator = new Intl.Collator("en", { numeric: true });
  const region = table.closest(".scroll");

  const make = (name, attributes, ...children) => {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) made.setAttribute(key, value);
    made.append(...children);
    return made;
  };
  const decoded = ({ values, codes }) => (place) => (codes[place] < 0 ? "" : values[codes[place]]);
  // Whole numbers in one string, each behind a comma; where nothing is, is none.
  const listed = (text) => text.split(",").map((each) => (each === "" ? null : Number(each)));
  // An = stands for the same as in another list.
  const scaled = (text, same) => {
    const list = text.split(",").map((each, place) => (each === "=" ? same[place] : each === "" ? null : Number(each)));
    return (place) => (list[place] === null ? null : list[place] / SCALE);
  };
  const itemOf = run === null || run.item === null ? (place) => place : (place) => run.item[place];
  const count = run === null ? items.ids.length : run.n;

  const answerOf = (place) => {
    const answer = run.answer[place];
    if (typeof answer === "string") return answer;
    return answer < 0 ? "" : items.options[items.option_set[itemOf(place)]][answer];
  };
  const itemHref = (item) => {
    const anchor = items.anchors[item] || items.ids[item];
    return `${folder}items-${Math.floor(item / items.chunk)}.html#${anchor}`;
  };

  // A column: its key, its head, the value of a row, whether it is a number or averaged.
  const columns = [
    { key: "item", words: "Item", of: (row) => items.ids[itemOf(row)] },
    ...Object.entries(items.properties).map(([key, coded]) => {
      const of = decoded(coded);
      return { key, words: key[0].toUpperCase() + key.slice(1), of: (row) => of(itemOf(row)), filter: true };
    }),
    { key: "gold", words: "Gold", of: (row) => items.gold[itemOf(row)], text: true },
  ];
  if (run === null) {
    columns.push(
      { key: "options", words: "Options", of: (row) => items.option_count[row], number: 0 },
      { key: "right", words: "Right", of: (row) => items.right[row], number: 0,
        show: (row) => (items.runs[row] ? `${items.right[row]} of ${items.runs[row]}` : "") },
      { key: "stated", words: "P(gold)", of: scaled(items.stated), number: 4 },
    );
  } else {
    const status = decoded(run.status);
    const sure = listed(run.terms.confidence || "");
    columns.push(
      { key: "status", words: "Status", of: status, filter: true },
      { key: "answer", words: "Answer", of: answerOf, text: true },
      { key: "right", words: "Right", of: (row) => Number(run.right[row]), number: 0, mean: true,
        filter: (row) => (run.right[row] === "1" ? "right" : "wrong"),
        show: (row) => (run.right[row] === "1" ? "right" : "wrong"), marks: true },
      ...Object.entries(run.terms).map(([key, list], place) => ({
        key, words: run.words[place], of: scaled(list, sure), number: 4, mean: true,
      })),
    );
  }

  const readState = () => {
    const text = location.hash.slice(1);
    return new URLSearchParams(text.includes("=") ? text : "");
  };
  let state = readState();
  const writeState = () => {
    const text = state.toString();
    history.replaceState(null, "", text ? `#${text}` : location.pathname + location.search);
  };

  // Filters: of the places an item stands in, of columns, and of what a number averages.
  const classOf = (row) => items.class[itemOf(row)];
  const typeOf = ((of) => (row) => of(itemOf(row)))(decoded(items.type));
  const stands = (row, wantedRow, subset) => {
    const wanted = subset === "ece_*" ? `ece_${typeOf(row)}` : subset;
    return items.places[classOf(row)].some(
      ([one, two]) => (wantedRow === "" || one === wantedRow) && (wanted === "" || two === wanted),
    );
  };
  const unique = (values) => [...new Set(values)].filter((each) => each !== "").sort(collator.compare);
  const everyRow = Array.from({ length: count }, (_, place) => place);
  const choices = [];
  if (run !== null) {
    const places = items.places.flat();
    const subsets = unique(places.map(([, subset]) => subset));
    if (subsets.some((each) => each.startsWith("ece_"))) subsets.push("ece_*");
    choices.push(
      { key: "row", words: "Report row", options: unique(places.map(([row]) => row)) },
      { key: "subset", words: "Counts in", options: subsets },
      { key: "cohort", words: "Items", options: unique(items.cohorts.flat()),
        keeps: (row, choice) => items.cohorts[classOf(row)].includes(choice) },
    );
  }
  for (const column of columns.filter(({ filter }) => filter)) {
    const of = typeof column.filter === "function" ? column.filter : column.of;
    const options = unique(everyRow.map(of));
    if (options.length < 2 || options.length > 80) continue;
    choices.push({ key: column.key, words: column.words, options, keeps: (row, choice) => of(row) === choice });
  }
  // What a link from a number narrows to, beside the choices that have a control.
  const termOf = (key) => columns.find((column) => column.key === key);
  // Numbers are rounded: where that moves one into another bin, its own is told.
  const binned = (key, exceptions) => (row) => {
    if (exceptions[row] !== undefined) return exceptions[row];
    const value = termOf(key) === undefined ? null : termOf(key).of(row);
    return value === null ? null : Math.min(Math.floor((Math.round(value * SCALE) * items.bins) / SCALE), items.bins - 1);
  };
  const binOf = run === null ? {} : {
    top: binned("confidence", run.bins.top),
    yes: binned("yes_probability", run.bins.yes),
  };
  const declared = (table.dataset.without || "").split(",");
  const narrowed = () => {
    const found = [];
    const number = state.get("number");
    const [subset, kind, term, basis] = items.numbers[number] || [null, state.get("kind"), null, null];
    if (kind !== null) found.push([`type ${kind}`, (row) => typeOf(row) === kind]);
    if (subset !== null) {
      found.push([`behind ${number}`, (row) => stands(row, state.get("row") || "", subset)]);
      const column = termOf(term);
      if (term !== null) found.push(["stated", (row) => column !== undefined && column.of(row) !== null]);
      if (/^(intelligence|multi_select_f1)/.test(number)) {
        found.push(["not declared unsupported", (row) => !declared.includes(typeOf(row))]);
      }
    }
    // A bin is named by its lower end.
    const bin = state.get("bin");
    if (bin !== null && binOf[basis]) {
      const wanted = Math.round(Number(bin) * items.bins);
      found.push([`from ${bin}`, (row) => binOf[basis](row) === wanted]);
    }
    return found;
  };

  const controls = choices.map((choice) => {
    const select = make("select", { name: choice.key }, make("option", { value: "" }, "all"));
    select.append(...choice.options.map((each) => make("option", { value: each }, each)));
    const label = make("label", {}, make("span", {}, choice.words), select);
    return { ...choice, select, label };
  });
  const search = make("input", { type: "search", name: "q", autocomplete: "off" });
  const output = make("output", { class: "count" });
  const clear = make("button", { type: "button" }, "Show all");
  const toolbar = make("div", { class: "toolbar", role: "search" },
    make("label", {}, make("span", {}, "Find"), search),
    ...controls.map(({ label }) => label), clear, output);
  const back = make("button", { type: "button" }, "Before");
  const next = make("button", { type: "button" }, "After");
  const where = make("span", { class: "count" });
  const pager = make("div", { class: "toolbar pager" }, back, where, next);

  const head = make("tr");
  const body = table.tBodies[0];
  const foot = table.createTFoot().insertRow();
  let shown = everyRow;
  let page = 0;

  const sortedBy = (rows, column, direction) => {
    const keyed = rows.map((row) => [column.of(row), row]);
    const order = column.number === undefined
      ? (one, two) => collator.compare(one, two)
      : (one, two) => one - two;
    keyed.sort(([one, a], [two, b]) => {
      if (one === null || two === null || one === "" || two === "") {
        const empty = (value) => Number(value === null || value === "");
        return empty(one) - empty(two) || a - b;
      }
      return direction * order(one, two) || a - b;
    });
    return keyed.map(([, row]) => row);
  };

  const cell = (column, row) => {
    const value = column.of(row);
    if (column.key === "item") {
      const link = make("a", { href: itemHref(itemOf(row)) }, make("bdi", {}, value));
      return make("th", { scope: "row", class: "pin" }, link);
    }
    let words = value;
    if (column.show) words = column.show(row);
    else if (value === null) words = "";
    else if (column.number !== undefined) words = value.toFixed(column.number);
    const found = make("td", {});
    if (column.text) found.className = "text";
    if (column.marks) found.className = words;
    found.textContent = words;
    return found;
  };

  const draw = () => {
    const last = Math.max(Math.ceil(shown.length / PAGE) - 1, 0);
    page = Math.min(page, last);
    const rows = shown.slice(page * PAGE, (page + 1) * PAGE);
    body.replaceChildren(...rows.map((row) => make("tr", {}, ...columns.map((column) => cell(column, row)))));
    pager.hidden = last === 0;
    back.disabled = page === 0;
    next.disabled = page === last;
    where.textContent = `${page * PAGE + 1} to ${page * PAGE + rows.length} of ${shown.length}`;
  };

  const sums = () => {
    if (run === null) return;
    foot.replaceChildren(...columns.map((column, place) => {
      if (place === 0) return make("th", { scope: "row" }, "Mean of the rows shown");
      const found = make("td", {});
      if (column.mean) {
        const values = shown.map(column.of).filter((value) => value !== null);
        const total = values.reduce((sum, value) => sum + value, 0);
        if (values.length) found.textContent = (total / values.length).toFixed(4);
      }
      return found;
    }));
  };

  const apply = () => {
    const words = search.value.toLowerCase().trim();
    const chosen = controls.filter(({ select, keeps }) => keeps && select.value !== "");
    const value = (key) => (controls.find((each) => each.key === key) || { select: { value: "" } }).select.value;
    const [wantedRow, subset] = [value("row"), value("subset")];
    const links = narrowed();
    const texts = (row) => columns.map((column) => (column.show ? column.show(row) : column.of(row))).join(" ");
    shown = everyRow.filter((row) =>
      (wantedRow === "" && subset === "" ? true : stands(row, wantedRow, subset)) &&
      chosen.every(({ keeps, select }) => keeps(row, select.value)) &&
      links.every(([, keeps]) => keeps(row)) &&
      (words === "" || texts(row).toLowerCase().includes(words)));
    const sort = state.get("sort") || "";
    const column = columns.find(({ key }) => key === sort.replace(/^-/, ""));
    if (column) shown = sortedBy(shown, column, sort.startsWith("-") ? -1 : 1);
    [...head.cells].forEach((each, place) => {
      if (columns[place] === column) each.setAttribute("aria-sort", sort.startsWith("-") ? "descending" : "ascending");
      else each.removeAttribute("aria-sort");
    });
    const also = links.map(([said]) => said).join(", ");
    output.textContent = `${shown.length} of ${count} ${table.dataset.noun}${also ? `, ${also}` : ""}`;
    clear.disabled = shown.length === count;
    sums();
    draw();
  };

  const restore = () => {
    search.value = state.get("q") || "";
    for (const { key, select, options } of controls) {
      const wanted = state.get(key) || "";
      select.value = options.includes(wanted) ? wanted : "";
    }
    page = Number(state.get("page") || 1) - 1;
    apply();
  };
  const store = (name, value) => {
    if (value === "") state.delete(name);
    else state.set(name, value);
    writeState();
  };

  columns.forEach((column) => {
    const button = make("button", { type: "button", class: "sort" }, column.words);
    button.addEventListener("click", () => {
      const now = state.get("sort");
      store("sort", now === column.key ? `-${column.key}` : column.key);
      page = 0;
      apply();
    });
    const found = make("th", { scope: "col" }, button);
    if (column.key === "item") found.className = "pin";
    head.append(found);
  });
  toolbar.addEventListener("input", ({ target }) => {
    store(target.name, target.value);
    page = 0;
    apply();
  });
  clear.addEventListener("click", () => {
    for (const key of [...state.keys()]) if (key !== "sort") state.delete(key);
    writeState();
    restore();
    search.focus();
  });
  const turn = (step) => () => {
    page += step;
    store("page", page === 0 ? "" : String(page + 1));
    draw();
    region.scrollTop = 0;
  };
  back.addEventListener("click", turn(-1));
  next.addEventListener("click", turn(1));

  table.tHead.replaceChildren(head);
  region.before(toolbar);
  region.after(pager);
  document.querySelectorAll(".no-script").forEach((each) => each.remove());
  window.addEventListener("hashchange", () => {
    state = readState();
    restore();
  });
  restore();
  document.documentElement.dataset.rows = "yes";
})();
