// Tables that sort, filter and count. Without this script they are plain tables.
"use strict";

(() => {
  const collator = new Intl.Collator("en", { numeric: true });
  const MOST_CHOICES = 80;

  const element = (name, attributes = {}, ...children) => {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
      made.setAttribute(key, value);
    }
    made.append(...children);
    return made;
  };

  const sortValue = (cell) => {
    if (cell.dataset.v !== undefined) return Number(cell.dataset.v);
    const text = cell.textContent.trim();
    if (text === "" || text === "–" || text === "N/A") return null;
    const value = Number(text);
    return Number.isNaN(value) ? text : value;
  };

  const group = (cell) =>
    (cell.dataset.g === undefined ? cell.textContent : cell.dataset.g).trim();

  const compare = (one, two) =>
    typeof one === "number" && typeof two === "number"
      ? one - two
      : collator.compare(String(one), String(two));

  // The state of the page stands behind the #, so that a link keeps it.
  const readState = () => {
    const text = location.hash.slice(1);
    return text.includes("=") ? new URLSearchParams(text) : new URLSearchParams();
  };

  const writeState = (state) => {
    const text = state.toString();
    history.replaceState(null, "", text ? `#${text}` : location.pathname + location.search);
  };

  const sortable = (table, onSort) => {
    const heads = [...table.tHead.rows[0].cells];
    const body = table.tBodies[0];
    const sort = (column, direction) => {
      const rows = [...body.rows].map((row, place) => ({
        row,
        place,
        value: sortValue(row.cells[column]),
      }));
      rows.sort((one, two) => {
        if (one.value === null || two.value === null) {
          return (one.value === null) - (two.value === null) || one.place - two.place;
        }
        return direction * compare(one.value, two.value) || one.place - two.place;
      });
      body.append(...rows.map(({ row }) => row));
      heads.forEach((head, place) => {
        if (place === column) {
          head.setAttribute("aria-sort", direction > 0 ? "ascending" : "descending");
        } else {
          head.removeAttribute("aria-sort");
        }
      });
    };
    heads.forEach((head, column) => {
      if (head.textContent.trim() === "" || head.classList.contains("drawn")) {
        return;
      }
      const button = element("button", { type: "button", class: "sort" });
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => {
        const now = head.getAttribute("aria-sort");
        const first = Number(head.dataset.first || 1);
        const direction = now ? (now === "ascending" ? -1 : 1) : first;
        sort(column, direction);
        onSort(column, direction);
      });
    });
    return sort;
  };

  const choices = (rows, column) => {
    const found = new Set(rows.map((row) => group(row.cells[column])));
    found.delete("");
    return [...found].sort(collator.compare);
  };

  const selectOf = (label, options, name) => {
    const select = element("select", { name });
    select.append(element("option", { value: "" }, "all"));
    select.append(...options.map((option) => element("option", { value: option }, option)));
    return [element("label", {}, element("span", {}, label), select), select];
  };

  // A filter is a word in the state, a control, and which rows a choice keeps.
  const columnFilters = (table, rows) =>
    [...table.tHead.rows[0].cells].flatMap((head, column) => {
      if (head.dataset.filter === undefined) return [];
      const options = choices(rows, column);
      if (options.length < 2 || options.length > MOST_CHOICES) return [];
      const name = head.dataset.filter.toLowerCase();
      const words = name.charAt(0).toUpperCase() + name.slice(1);
      const [label, control] = selectOf(words, options, name);
      const keeps = (row, choice) => group(row.cells[column]) === choice;
      return [{ name, label, control, keeps }];
    });

  const filterable = (table, rows, state) => {
    const search = element("input", { type: "search", name: "q", autocomplete: "off" });
    const filters = columnFilters(table, rows);
    const count = element("output", { class: "count" });
    const clear = element("button", { type: "button" }, "Show all");
    const noun = table.dataset.toolbar;
    const toolbar = element(
      "div",
      { class: "toolbar", role: "search" },
      element("label", {}, element("span", {}, "Find"), search),
      ...filters.map(({ label }) => label),
      clear,
      count,
    );
    const texts = new Map(rows.map((row) => [row, row.textContent.toLowerCase()]));
    const apply = () => {
      const words = search.value.toLowerCase().trim();
      const chosen = filters.filter(({ control }) => control.value !== "");
      const shown = rows.filter((row) => {
        const keeps =
          texts.get(row).includes(words) &&
          chosen.every(({ keeps: keep, control }) => keep(row, control.value));
        row.hidden = !keeps;
        return keeps;
      });
      count.textContent = `${shown.length} of ${rows.length} ${noun}`;
      clear.disabled = shown.length === rows.length && words === "" && chosen.length === 0;
    };
    const store = () => {
      for (const { name, control } of [{ name: "q", control: search }, ...filters]) {
        if (control.value === "") state.delete(name);
        else state.set(name, control.value);
      }
      writeState(state);
    };
    const restore = () => {
      search.value = state.get("q") || "";
      for (const { name, control } of filters) {
        const wanted = state.get(name) || "";
        const has = [...control.options].some((option) => option.value === wanted);
        control.value = has ? wanted : "";
      }
      apply();
    };
    toolbar.addEventListener("input", () => {
      apply();
      store();
    });
    clear.addEventListener("click", () => {
      search.value = "";
      for (const { control } of filters) control.value = "";
      apply();
      store();
      search.focus();
    });
    table.closest(".scroll").before(toolbar);
    return restore;
  };

  const keepStateInLinks = () => {
    document.addEventListener("click", (event) => {
      const link = event.target.closest(".switch a, .parts a");
      if (link && location.hash.includes("=")) link.hash = location.hash;
    });
  };

  // A column by its name; a minus turns its first order round.
  const sortAsAsked = (table, sort, wanted) => {
    const key = wanted.replace(/^-/, "");
    const heads = [...table.tHead.rows[0].cells];
    const column = heads.findIndex((head) => head.dataset.key === key);
    if (column < 0) return;
    const first = Number(heads[column].dataset.first || 1);
    sort(column, wanted.startsWith("-") ? -first : first);
  };

  const columnPicker = (state, store) => {
    const whole = document.querySelector(".all-columns");
    if (whole === null) return () => {};
    const [all, few] = document.querySelectorAll(".columns-switch a");
    const restore = () => {
      const isAll = state().get("columns") === "all";
      whole.classList.toggle("whole", isAll);
      all.style.display = isAll ? "none" : "inline";
      few.style.display = isAll ? "inline" : "none";
    };
    const choose = (isAll) => (event) => {
      event.preventDefault();
      store("columns", isAll ? "all" : "");
      restore();
      (isAll ? few : all).focus();
    };
    all.addEventListener("click", choose(true));
    few.addEventListener("click", choose(false));
    return restore;
  };

  // On a page of numbers, what counts rows leads to just those rows.
  const rowLinks = () => {
    const numbers = document.querySelector("table.numbers");
    if (numbers === null) return;
    const rows = numbers.dataset.rows;
    const lead = (cell, to) => {
      const [, count, rest] = /^(\d+)(.*)$/.exec(cell.textContent) || [];
      if (count === undefined) return;
      const what = element("span", { class: "hidden" }, ` rows of ${to.split("=").pop()}`);
      cell.replaceChildren(element("a", { href: rows + to }, count, what), rest);
    };
    for (const row of numbers.tBodies[0].rows) lead(row.cells[3], `&number=${row.id}`);
    for (const table of document.querySelectorAll("table[data-number^='ece.']")) {
      for (const row of table.tBodies[0].rows) {
        lead(row.cells[1], `&number=${table.dataset.number}&bin=${row.cells[0].textContent.trim()}`);
      }
    }
    for (const row of document.querySelectorAll("tr[data-tier]")) {
      const kind = row.cells[0].textContent.trim();
      const tier = encodeURIComponent(row.dataset.tier);
      lead(row.cells[3], `&number=intelligence.${kind}&tier=${tier}`);
    }
  };

  // Beside every value: compute it here, or the command that does.
  const checks = () => {
    const table = document.querySelector("table.numbers");
    if (table === null) return;
    const { run, cohort, row, explore } = table.dataset;
    for (const line of table.tBodies[0].rows) {
      const cell = line.cells[1];
      const shown = /-?[0-9.]+(e-?[0-9]+)?$|N\/A/.exec((cell.innerText || "").split("\n")[0].trim());
      if (explore) {
        const to = new URLSearchParams({ check: line.id, run, cohort, row, value: shown ? shown[0] : "N/A" });
        cell.append(" ", element("a", { class: "check", href: `${explore}#${to}` }, "Check",
          element("span", { class: "hidden" }, ` this number, ${line.id}`)));
      } else if (cohort === "own") {
        const button = element("button", { type: "button", class: "check" }, "Check",
          element("span", { class: "hidden" }, ` this number, ${line.id}`));
        button.addEventListener("click", () => {
          const [metric, kind] = line.id.split(".");
          const safe = /^[\w.-]+$/.test(row) ? row : `'${row.replaceAll("'", "'\\''")}'`;
          button.replaceWith(element("code", {}, `jevdb explain ${run} ${metric} --kind ${kind} --row ${safe}`));
        });
        cell.append(" ", button);
      }
    }
  };

  // On a page of parts, a cell leads to its rows.
  const partLinks = () => {
    for (const table of document.querySelectorAll("table[data-parts]")) {
      const values = [...table.tHead.rows[0].cells].map((head) => head.dataset.value);
      for (const row of table.tBodies[0].rows) {
        const run = row.cells[0].querySelector("a");
        const rows = run.getAttribute("href").replace("index.html", "rows.html");
        [...row.cells].forEach((cell, place) => {
          if (place === 0 || cell.className === "") return;
          const to = rows + table.dataset.parts + encodeURIComponent(values[place]);
          const what = element("span", { class: "hidden" }, ` ${run.textContent}, rows of ${values[place]}`);
          cell.replaceChildren(element("a", { href: to }, cell.textContent, what));
        });
      }
    }
  };

  // On a page of items, runs that stand there as numbers say their names.
  const runNames = () => {
    const names = [...document.querySelectorAll("ol.legend a")].map((link) => link.textContent);
    for (const cell of document.querySelectorAll(".runs")) {
      const numbers = cell.textContent.split(", ").filter(Boolean).flatMap((part) => {
        const [first, last] = part.split("-").map(Number);
        return Array.from({ length: (last || first) - first + 1 }, (_, step) => first + step);
      });
      cell.title = numbers.map((number) => names[number - 1]).join(", ");
    }
  };

  const start = () => {
    let state = readState();
    const store = (name, value) => {
      if (value === "") state.delete(name);
      else state.set(name, value);
      writeState(state);
    };
    const restores = [columnPicker(() => state, store)];
    for (const table of document.querySelectorAll("table.interactive")) {
      const rows = [...table.tBodies[0].rows];
      const heads = table.tHead.rows[0].cells;
      const isMain = table.dataset.toolbar !== undefined;
      const sort = sortable(table, (column, direction) => {
        const key = heads[column].dataset.key;
        if (!isMain || key === undefined) return;
        const first = Number(heads[column].dataset.first || 1);
        store("sort", direction === first ? key : `-${key}`);
      });
      if (!isMain) continue;
      const filter = filterable(table, rows, {
        get: (name) => state.get(name),
        has: (name) => state.has(name),
        set: (name, value) => state.set(name, value),
        delete: (name) => state.delete(name),
        toString: () => state.toString(),
      });
      restores.push(() => {
        sortAsAsked(table, sort, state.get("sort") || "");
        filter();
      });
    }
    restores.forEach((restore) => restore());
    window.addEventListener("hashchange", () => {
      state = readState();
      restores.forEach((restore) => restore());
    });
    keepStateInLinks();
    rowLinks();
    checks();
    partLinks();
    runNames();
    document.documentElement.dataset.ready = "yes";
  };

  start();
})();
